// The passwords that attackers try first. Most of them are a common word with a common ending. A module, not
// a text file, so that the bundled server includes it.

const words = `
  password passwort passwd passw0rd password1 motdepasse contrasena senha parola haslo wachtwoord salasana
  kennwort geheim secret letmein welcome welcom login signin admin administrator root user guest test
  testing tester default changeme change master access access14 system server service support manager office
  company business account secure security private public iloveyou loveyou iloveu love lovely lover loveme
  sweetheart darling honey sweety sweetie angel baby babygirl babyboy princess prince queen king monkey
  dragon tiger lion eagle falcon panther shadow phoenix wolf bear horse dolphin butterfly elephant penguin
  rabbit turtle puppy kitty kitten doggie fluffy snoopy garfield simba nemo bambi scooby pokemon pikachu
  charizard naruto sasuke goku mario luigi zelda sonic batman superman spiderman ironman hulk thor avengers
  starwars skywalker vader yoda matrix trustno gandalf frodo hobbit legolas merlin wizard football baseball
  basketball soccer hockey tennis golf golfer softball volleyball cricket rugby running runner swimming
  skater surfing arsenal chelsea liverpool manchester barcelona realmadrid juventus bayern milan celtic
  rangers everton benfica yankees cowboys steelers lakers eagles packers redsox sunshine sunflower flower
  flowers rainbow summer winter spring autumn snowball snowman moonlight starlight star stars sunny cloud
  january february march april monday tuesday wednesday thursday friday saturday sunday birthday christmas
  halloween easter michael jordan jennifer jessica ashley michelle nicole daniel matthew joshua andrew
  robert thomas charlie william david anthony samantha amanda stephanie elizabeth danielle melissa hannah
  emily sarah rachel rebecca lauren brandon justin jonathan nicholas alexander christopher benjamin patrick
  george richard edward martin oliver harry jack james john peter paul maria anna julia laura sophie
  chocolate cookie cookies cheese banana orange apple cherry strawberry peaches pumpkin pepper ginger coffee
  pizza chicken sugar vanilla candy computer internet windows microsoft google facebook instagram samsung
  iphone android nokia gaming gamer minecraft fortnite roblox playstation xbox nintendo mustang ferrari
  porsche mercedes corvette camaro harley yamaha honda toyota nissan subaru diamond silver golden gold
  purple yellow black white green blue red freedom forever friends friend family mother father mommy daddy
  brother sister jesus jesuschrist christ heaven blessed faith grace hope peace whatever nothing something
  anything blink metallica nirvana slipknot eminem ladygaga beatles elvis rockstar guitar music dancer dance
  killer hunter ranger soldier warrior samurai ninja pirate fighter assassin sniper bulldog buster bailey
  maggie max lucky rocky london paris berlin madrid america canada england france germany ireland scotland
  texas california florida newyork boston chicago dallas qwerty qwertz azerty qwer asdf zxcv asdfgh zxcvbn
  qazwsx wsxedc edcrfv qweasd qweasdzxc poiuyt lkjhgf mnbvcxz abc abcd abcdef aaa zzz hello hallo hola
  bonjour ciao goodbye please thanks happy smile smiley crazy funny cool awesome super sexy hottie beautiful
  victoria maverick midnight spider veronica cristina cristian caroline catherine katherine kathryn fernando
  rodriguez gonzalez martinez hernandez sebastian valentina alejandra alejandro estrella mariposa angelica
  angelina isabella isabelle savannah patricia christian christine christina francisco francesca francesco
  giuseppe giovanni giuliana lorenzo leonardo riccardo roberto ricardo eduardo enrique santiago mauricio
  gabriela gabriel gabrielle carolina camila catalina daniela fernanda guadalupe monica natalia paulina
  rosario teresa yolanda carlos miguel antonio manuel jose juan pedro diego pablo sergio andrea andreas
  alexandra alexandre alexis alyssa amber angela arthur austin barbara beatrice bernard bethany brenda brian
  brittany bryan cameron carmen cassandra cassie charles charlotte chelsey cheyenne claire claudia colleen
  courtney crystal cynthia denise dennis diana dominic dominique donald dorothy douglas dylan eleanor elaine
  evelyn florence frances francis frank frederick gerald gloria gregory heather helen henry howard isaac
  jackson jacob jacqueline janice jasmine jason jeffrey jeremy jermaine joanna joseph josephine joyce
  juliana julian justine kaitlyn karen katie keith kelly kenneth kevin kimberly kristen kristina kristine
  larry leslie lillian linda logan lorraine louise lucas madison margaret marina marjorie mark marshall
  mason megan melanie michaela miranda mitchell mohammed muhammad monique morgan natalie natasha nathan
  nathaniel norman olivia pamela penelope phillip phoebe priscilla rafael randy raymond regina reginald
  ronald russell ruth ryan sabrina sandra sandy scott sharon sheila shelby sherry sierra stella stephen
  steven sullivan susan sydney sylvia tabitha tamara tanya tatiana taylor theresa theodore tiffany timothy
  tony travis trevor tristan tyler valerie vanessa vincent virginia vivian wallace walter warren wendy
  winston yvonne zachary kristin ernesto armando software hardware firebird firefire einstein newton darwin
  darkness explorer hardcore wolverine swordfish stargate redwings scorpion crazyone pussycat bigdaddy
  bigboss bigdog redskins scooter helloworld goodluck goodboy badboy badgirl goodgirl motorola gateway
  snickers tigger piglet eeyore cocacola pepsi chevrolet chevy vista crystals kissme kissmyass fuckoff
  fuckyou fuckme fucker asshole bitch biteme bullshit pussy boomer booboo bonnie bradley bubba bubbles
  buddha budweiser heineken guinness carlsberg corona tequila whiskey vodka marlboro cannabis marijuana
  weed420 beavis kermit gizmo gandhi gangsta gangster ghost godzilla goldfish gorilla griffin gunner
  hercules highland hummer icecream iceman impala indigo infinity intrepid ironmaiden jaguar jackass
  jellybean junior jupiter kangaroo knight knights kittycat ladybug lightning lizard lollipop longhorn
  lucifer magic magnum marine marines marlin marvin maxwell mayhem medicine mermaid mission monster montana
  monalisa moomoo motocross mountain muffin mushroom napoleon nascar native neptune nautica newcastle
  nightmare nomad northern november october september december august june july oblivion octopus olympus
  orlando outlaw pacific paradise paradox peanut peanuts pebbles pegasus peterpan phantom philips
  photography picasso pineapple pinkfloyd platinum playboy player pleasure polaris police pookie popcorn
  porkchop portugal predator prelude presto property prosperity punisher quality quantum racecar racing
  raiders rainyday random raptor rasta ravens rebel redhead reddog redneck redrose rebels remember renegade
  republic revolution rhinoceros roadrunner robotics rocket rocknroll romance rosebud royal sailor salvador
  sanchez sandman saturn savage scarface scarlett schatz schalke school science scorpio seahawks secrets
  serenity shamrock shannon sherlock silence simpson simpsons skyline skywalk slayer smokey smoker snowflake
  snowboard soldiers sophia spanky sparkle sparky spartan special spectrum speedy spencer spirit spitfire
  splash spongebob stalker stallion standard steeler stranger strawberries student studio stupid success
  sunrise sunset superstar surfer survivor sweetpea symphony tarheels teacher terminator thailand thunder
  tinkerbell titanic tomcat tornado toulouse trinity trooper trouble trucker truelove trumpet twilight
  twister undertaker unicorn universe university unknown vampire vegeta venus viking vikings viper volcano
  volkswagen voyager warcraft wanderer warlock webmaster westside whatsup whiplash wildcat wildcats williams
  willow winner winners wisdom woodstock wrestling xxxxxx yankee yellowstone zeppelin zombie amor amorcito
  teamo tequiero tiamo jetaime bebe bonita chiquita corazon contraseña clave familia gatito hermosa hermano
  jesucristo mexico papito perrito princesa querida angelito estrellita futbol benito sakura doraemon
  freundin liebe liebling schatzi sommer fussball loulou doudou soleil chouchou marseille bretagne nicolas
  camille chocolat coucou napoli forzainter milano roma amoremio stellina gabriele simone tesoro cioccolato
  polska kochanie misiek marcin karolina agnieszka krystian krishna ganesh sairam saibaba india pakistan
  bangladesh indonesia sayang bismillah allah mahal malaysia philippines australia brasil brazil flamengo
  corinthians palmeiras gremio vasco argentina boca riverplate colombia canarias espana italia turkey
  istanbul galatasaray fenerbahce besiktas moscow russia marseille13 evenhand review reviews reviewer seller
  member membership market marketplace handmade etsy craft crafts planner template
`
  .trim()
  .split(/\s+/)

const endings = `
  1 2 3 4 5 6 7 8 9 0 01 02 03 07 08 09 10 11 12 13 14 15 21 22 23 25 33 42 44 55 66 69 77 88 99 00
  007 100 101 111 123 132 222 234 321 333 420 456 555 666 777 789 888 911 999 000
  1111 1212 1234 1313 1337 1122 2000 2222 4321 6969 7777 12345 54321 123123 123321 123456 654321
  1980 1985 1986 1987 1988 1989 1990 1991 1992 1993 1994 1995 1996 1997 1998 1999
  2001 2002 2003 2004 2005 2010 2012 2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027
  ! !! !!! ? . * # @ $ 1! 12! 123! 1234! @1 @12 @123 @1234 #1 #123 _1 _12 _123 !1 !123 1? 123? 2024! 2025!
  2026! 2027! a b q s x z abc xyz xx
`
  .trim()
  .split(/\s+/)

const whole = new Set(
  `1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc qazwsxedc zaq12wsx zaq1zaq1 q1w2e3r4 q1w2e3r4t5 qwe123qwe
  asd123asd qwerty123456 123qweasd 123qweasdzxc 12qwaszx 1a2b3c4d a1b2c3d4 a1s2d3f4 abcd1234 1234abcd
  1234qwer qwer1234 asdf1234 zxcv1234 147258369 159357456 963852741 741852963 789456123 456123789 321654987
  147852369 11223344 12344321 123654789 987654321 0987654321 1029384756 5201314 woaini1314 p@ssw0rd pa55word
  pass1234 passpass lovelove trustno1 letmein1 welcome1 correcthorse correcthorsebatterystaple opensesame
  nopassword mypassword thepassword newpassword yourpassword password123456 adminadmin rootroot testtest
  useruser administrator1 ncc1701d ncc1701e thx1138 rush2112 startrek aa123456 a123456789 a1234567 a12345678
  abc123456 abcd123456 aa123123 aa12345678 qq123456 qwe123456 asd123456 zxc123456 zxcvbnm1 zxcvbnm123
  w123456789 1q1q1q1q 159357159 159753159 1597531 112233445566 1122334455 123456aa 123456ab 12345678a
  123456789a 1234567a 1234567890a 123456qwe 12345qwert 12345abc 123abc123 123456abc a12345678 p@ssw0rd1
  pa$$word passw0rd1 blink182 rockyou1 lakers24 kobe24 jordan23 abcdefg1 abcdefgh1 mynameis whatever1
  iloveme1 iloveu123 ilovejesus ilovegod jesus777 godisgood godislove lovers123 myspace1 linkedin dropbox1
  adobe123 photoshop fuckyou2 fuckoff1 vista123 access123 letmein123 login123 welcome2 monster1 dragon12
  master12 shadow12 qazwsx12 qazwsx123 qazxswedc q1q1q1q1 asdasdasd qweqweqwe zxczxczxc bond007 agent007
  jamesbond monkeyman iloveyou2 fuckyou1 fuckyouu asshole1 changeit changethis 00000001 10203040 12131415
  13579246 24681012`
    .trim()
    .split(/\s+/),
)

const rows = [
  '1234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm,./',
  'abcdefghijklmnopqrstuvwxyz',
]
const sequences = rows.flatMap((row) => [row, [...row].toReversed().join('')])

const wordSet = new Set(words)
const endingSet = new Set(endings)

/** Whether a password is common. Ignores case and the usual replacements of letters (@ for a, 0 for o). */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  return whole.has(lower) || isRepetition(lower) || isSequence(lower) || isWordWithEnding(lower)
}

/** How many common passwords the lists contain, not counting repetitions and keyboard sequences. */
export function countCommonPasswords() {
  const made = new Set(whole)
  for (const word of words) for (const ending of ['', ...endings]) made.add(word + ending)
  return [...made].filter((password) => password.length >= 8).length
}

/** A repeated piece: aaaaaaaa, abcabcabc, 12341234. */
function isRepetition(text: string) {
  return /^(.{1,4}?)\1+.{0,2}$/u.test(text) && new Set(text).size <= 4
}

/** A sequence on the keyboard, of digits or of the alphabet, once or twice: qwertyui, 87654321, asdfasdf. */
function isSequence(text: string) {
  return sequences.some((row) => row.includes(text) || (row + row).includes(text))
}

function isWordWithEnding(text: string) {
  for (let cut = text.length; cut > 2; cut -= 1) {
    const ending = text.slice(cut)
    if (ending !== '' && !endingSet.has(ending)) continue
    const word = text.slice(0, cut)
    if (wordSet.has(word) || wordSet.has(unswapped(word)) || isTwice(word)) return true
  }
  return false
}

function isTwice(text: string) {
  const half = text.slice(0, text.length / 2)
  return half + half === text && wordSet.has(half)
}

const swaps: Record<string, string> = {
  '@': 'a',
  4: 'a',
  3: 'e',
  1: 'i',
  '!': 'i',
  0: 'o',
  $: 's',
  5: 's',
  7: 't',
}

function unswapped(text: string) {
  return [...text].map((character) => swaps[character] ?? character).join('')
}
