// The passwords that guessers try first, as what most of them are made of: a word that many choose, with an ending that many add.
// A module and not a text file, so that the bundled server carries it.

const words = `
  password passwort passwd passw0rd password1 motdepasse contrasena senha parola haslo wachtwoord salasana kennwort geheim secret
  letmein welcome welcom login signin admin administrator root user guest test testing tester default changeme change master
  access access14 system server service support manager office company business account secure security private public
  iloveyou loveyou iloveu love lovely lover loveme sweetheart darling honey sweety sweetie angel baby babygirl babyboy princess prince queen king
  monkey dragon tiger lion eagle falcon panther shadow phoenix wolf bear horse dolphin butterfly elephant penguin rabbit turtle
  puppy kitty kitten doggie fluffy snoopy garfield simba nemo bambi scooby pokemon pikachu charizard naruto sasuke goku mario luigi zelda sonic
  batman superman spiderman ironman hulk thor avengers starwars skywalker vader yoda matrix trustno gandalf frodo hobbit legolas merlin wizard
  football baseball basketball soccer hockey tennis golf golfer softball volleyball cricket rugby running runner swimming skater surfing
  arsenal chelsea liverpool manchester barcelona realmadrid juventus bayern milan celtic rangers everton benfica yankees cowboys steelers lakers eagles packers redsox
  sunshine sunflower flower flowers rainbow summer winter spring autumn snowball snowman moonlight starlight star stars sunny cloud
  january february march april monday tuesday wednesday thursday friday saturday sunday birthday christmas halloween easter
  michael jordan jennifer jessica ashley michelle nicole daniel matthew joshua andrew robert thomas charlie william david anthony
  samantha amanda stephanie elizabeth danielle melissa hannah emily sarah rachel rebecca lauren brandon justin jonathan nicholas
  alexander christopher benjamin patrick george richard edward martin oliver harry jack james john peter paul maria anna julia laura sophie
  chocolate cookie cookies cheese banana orange apple cherry strawberry peaches pumpkin pepper ginger coffee pizza chicken sugar vanilla candy
  computer internet windows microsoft google facebook instagram samsung iphone apple android nokia gaming gamer minecraft fortnite roblox playstation xbox nintendo
  mustang ferrari porsche mercedes corvette camaro harley yamaha honda toyota nissan subaru diamond silver golden gold purple yellow black white green blue red
  freedom forever friends friend family mother father mommy daddy brother sister jesus jesuschrist christ heaven blessed faith grace hope peace
  whatever nothing something anything blink metallica nirvana slipknot eminem ladygaga beatles elvis rockstar guitar music dancer dance
  killer hunter ranger soldier warrior samurai ninja pirate fighter assassin sniper bulldog buster bailey maggie sophie max lucky rocky
  london paris berlin madrid america canada england france germany ireland scotland texas california florida newyork boston chicago dallas
  qwerty qwertz azerty qwer asdf zxcv asdfgh zxcvbn qazwsx wsxedc edcrfv qweasd qweasdzxc poiuyt lkjhgf mnbvcxz abc abcd abcdef aaa zzz
  hello hallo hola bonjour ciao goodbye please thanks happy smile smiley crazy funny cool awesome super sexy hottie beautiful
  evenhand review reviews reviewer seller member membership market marketplace handmade etsy craft crafts planner template
`
  .trim()
  .split(/\s+/)

const endings = `
  1 2 3 4 5 6 7 8 9 0 01 02 03 07 08 09 10 11 12 13 14 15 21 22 23 25 33 42 44 55 66 69 77 88 99 00
  007 100 101 111 123 132 222 234 321 333 420 456 555 666 777 789 888 911 999 000
  1111 1212 1234 1313 1337 1122 2000 2222 4321 6969 7777 12345 54321 123123 123321 123456 654321
  1980 1985 1986 1987 1988 1989 1990 1991 1992 1993 1994 1995 1996 1997 1998 1999
  2001 2002 2003 2004 2005 2010 2012 2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027
  ! !! !!! ? . * # @ $ 1! 12! 123! 1234! @1 @12 @123 @1234 #1 #123 _1 _12 _123 !1 !123 1? 123? 2024! 2025! 2026! 2027!
  a b q s x z abc xyz xx
`
  .trim()
  .split(/\s+/)

const whole = new Set(
  `1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qaz2wsx3edc qazwsxedc zaq12wsx zaq1zaq1 q1w2e3r4 q1w2e3r4t5 qwe123qwe asd123asd qwerty123456 123qweasd
  123qweasdzxc 12qwaszx 1a2b3c4d a1b2c3d4 a1s2d3f4 abcd1234 1234abcd 1234qwer qwer1234 asdf1234 zxcv1234 147258369 159357456 963852741 741852963
  789456123 456123789 321654987 147852369 11223344 12344321 123654789 987654321 0987654321 1029384756 5201314 woaini1314 p@ssw0rd pa55word
  pass1234 passpass lovelove trustno1 letmein1 welcome1 correcthorse correcthorsebatterystaple opensesame nopassword mypassword thepassword
  newpassword yourpassword password123456 adminadmin rootroot testtest useruser administrator1 ncc1701d ncc1701e thx1138 rush2112 startrek
  bond007 agent007 jamesbond monkeyman iloveyou2 fuckyou1 fuckyouu asshole1 changeit changethis 00000001 10203040 12131415 13579246 24681012`
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
const walks = rows.flatMap((row) => [row, [...row].toReversed().join('')])

const wordSet = new Set(words)
const endingSet = new Set(endings)

/** Whether a guesser would try this password among the first: case and the usual swaps of letters (@ for a, 0 for o) do not count. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase()
  return whole.has(lower) || isRepetition(lower) || isWalk(lower) || isWordWithEnding(lower)
}

/** How many of them the lists spell out, beside repetitions and walks over the keyboard. */
export function countCommonPasswords() {
  const made = new Set(whole)
  for (const word of words) for (const ending of ['', ...endings]) made.add(word + ending)
  return [...made].filter((password) => password.length >= 8).length
}

/** The same piece over and over: aaaaaaaa, abcabcabc, 12341234. */
function isRepetition(text: string) {
  return /^(.{1,4}?)\1+.{0,2}$/u.test(text) && new Set(text).size <= 4
}

/** A way along the keyboard, the digits or the alphabet, perhaps gone twice: qwertyui, 87654321, asdfasdf. */
function isWalk(text: string) {
  return walks.some((row) => row.includes(text) || (row + row).includes(text))
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
