// The members of the demo club. All are made up; every address is on a reserved domain that receives no mail.
// Tests and documents name the first six: their state never changes.

/** How a member behaves in the demo simulator; the shares follow the measured model of the rotation. */
type Temperament = 'keen' | 'regular' | 'casual' | 'quiet'

/** A member's state when the demo begins. `new` has signed up and listed nothing. */
type Standing = 'balanced' | 'owes_one' | 'on_cooldown' | 'paused' | 'new'

export type CastMember = {
  username: string
  displayName: string
  fullName: string
  email: string
  /** One or two sentences about the shop, as the member would write them. */
  about: string
  /** The shop's name on the marketplace. */
  shop: string
  role: 'user' | 'support' | 'admin'
  temperament: Temperament
  standing: Standing
  /** An IANA time zone. */
  timeZone: string
}

/** The password of every demo account. It exists only in demo mode. */
export const demoPassword = 'even-hand-demo'

/** 48 members, in the order in which they joined. */
export const members: CastMember[] = [
  {
    ...member('anna', 'Anna Brandvik', 'keen', 'Europe/Oslo'),
    shop: 'Even Keel Sheets',
    about: 'Spreadsheets for households that would rather talk about dinner than about money.',
  },
  {
    ...member('ben', 'Ben Adeyinka', 'keen', 'Europe/London'),
    shop: 'Bench and Abacus',
    about: 'Small calculators for people who make things by hand and price them by guesswork.',
  },
  {
    ...member('clara', 'Clara Weidmann', 'regular', 'Europe/Vienna', 'owes_one'),
    shop: 'Quiet Shelf',
    about: 'Trackers and short guides about reading, writing and getting fewer emails.',
  },
  {
    ...member('dario', 'Dario Pellicano', 'regular', 'Europe/Rome', 'on_cooldown'),
    shop: 'Signature and Spine',
    about: 'I bind books by day and record an old piano by night. Both come out a little crooked.',
  },
  {
    ...member('elif', 'Elif Sarikaya', 'regular', 'Europe/Istanbul', 'paused'),
    shop: 'Clay Hour',
    about: 'Percussion recorded in a pottery, and slow moving pictures for screens that are on all day.',
  },
  {
    ...member('finn', 'Finn Oudekerk', 'casual', 'Europe/Amsterdam', 'new'),
    shop: 'Oudekerk Maps',
    about: 'Hand-drawn city maps. The first one is nearly finished.',
  },
  {
    ...member('grete', 'Grete Halvarsen', 'regular', 'Europe/Copenhagen'),
    shop: 'Madder and Weld',
    about: 'Natural dyes, tested in one small kitchen over eleven years.',
  },
  {
    ...member('hugo', 'Hugo Carvalhal', 'regular', 'Europe/Lisbon'),
    shop: 'Second Chain',
    about: 'Repair guides from a neighborhood bicycle workshop.',
  },
  {
    ...member('imani', 'Imani Wekesa', 'keen', 'Africa/Nairobi'),
    shop: 'Balcony Acre',
    about: 'Growing food where there is hardly any space for it.',
  },
  {
    ...member('jun', 'Jun Takemori', 'regular', 'Asia/Tokyo'),
    shop: 'Ink and Grid',
    about: 'Ink filmed in water, and tools for people who count squares.',
  },
  {
    ...member('kavya', 'Kavya Nambeesan', 'keen', 'Asia/Kolkata'),
    shop: 'Deckle Post',
    about: 'Stationery you can print at home without it looking printed at home.',
  },
  {
    ...member('leo-paints', 'Leo Brightwater', 'casual', 'America/Halifax'),
    shop: 'Harbour Studio',
    about: 'Texture brushes made from real paint, scraped and scanned.',
  },
  {
    ...member('mireille', 'Mireille Fontanel', 'regular', 'Europe/Paris'),
    shop: 'Pressed Meadow',
    about: 'Watercolour wildflowers, painted from what grows along one railway path.',
  },
  {
    ...member('nadia', 'Nadia Belhaj', 'regular', 'Africa/Tunis'),
    shop: 'Small Studio Papers',
    about: 'Invoices, quotes and the polite second reminder, for people who work alone.',
  },
  {
    ...member('oskar', 'Oskar Wrzesinski', 'regular', 'Europe/Warsaw'),
    shop: 'One Desk',
    about: 'Planning sheets for a studio of one.',
  },
  {
    ...member('priya-draws', 'Priya Raghunath', 'keen', 'Asia/Kolkata'),
    shop: 'Monsoon Drawer',
    about: 'Seamless patterns drawn with a ruler and then made less straight.',
  },
  {
    ...member('quentin', 'Quentin Duvernoy', 'casual', 'Europe/Brussels'),
    shop: 'North Window',
    about: 'A photographer with one window, showing how far that goes.',
  },
  {
    ...member('rosa_prints', 'Rosa Ibarrola', 'regular', 'Europe/Madrid'),
    shop: 'Rosa Cuts Lino',
    about: 'Linocut prints of ordinary food.',
  },
  {
    ...member('selam', 'Selam Gebrehiwet', 'regular', 'Africa/Addis_Ababa'),
    shop: 'Third Cup',
    about: 'Coffee lessons, and recordings of quiet things that ring.',
  },
  {
    ...member('tomas', 'Tomas Hradil', 'keen', 'Europe/Prague'),
    shop: 'Plain Cells',
    about: 'I teach evening classes about spreadsheets and write small programs that need no installation.',
  },
  {
    ...member('uma', 'Uma Selvanathan', 'casual', 'Asia/Colombo'),
    shop: 'Running Thread',
    about: 'Embroidery for people who think that they have no patience.',
  },
  {
    ...member('vilde', 'Vilde Ostraat', 'regular', 'Europe/Oslo'),
    shop: 'Canvas Harbour',
    about: 'Bags from waxed canvas, sewn on a very ordinary machine. Sings in a choir.',
  },
  {
    ...member('wren', 'Wren Ashdown', 'casual', 'Europe/Dublin'),
    shop: 'Hedge Notes',
    about: 'Birds, drawn small and checked by someone who knows birds.',
  },
  {
    ...member('ximena', 'Ximena Calderas', 'keen', 'America/Mexico_City'),
    shop: 'Mesa Chica',
    about: 'Recipes from a small table, written down properly at last.',
  },
  {
    ...member('yusuf', 'Yusuf Karadere', 'regular', 'Europe/Berlin'),
    shop: 'Legend and Scale',
    about: 'Old maps explained, and music beds for people who talk about old things.',
  },
  {
    ...member('zofia', 'Zofia Malczyk', 'regular', 'Europe/Warsaw'),
    shop: 'Folk Border',
    about: 'Borders and corners after the painted cottages of my grandmother’s village.',
  },
  {
    ...member('abena', 'Abena Ofosuhene', 'keen', 'Africa/Accra'),
    shop: 'Star Path',
    about: 'Quilts, and twelve years of selling them from a folding table.',
  },
  {
    ...member('bruno', 'Bruno Tavaroli', 'regular', 'America/Argentina/Buenos_Aires'),
    shop: 'Corner Sketch',
    about: 'Draws streets, records workshops, teaches both in short lessons.',
  },
  {
    ...member('chidi', 'Chidi Nwankwere', 'regular', 'Africa/Lagos'),
    shop: 'Plain Case',
    about: 'Planners and captions for small charities and the people who film them.',
  },
  {
    ...member('dagny', 'Dagny Thorsrud', 'casual', 'Europe/Oslo'),
    shop: 'Type by the Fjord',
    about: 'One typeface a year, drawn slowly.',
  },
  {
    ...member('emil', 'Emil Sandvoll', 'quiet', 'Europe/Stockholm'),
    shop: 'Paper Moon Studio',
    about: 'Cut paper for children’s bedrooms, still and moving.',
  },
  {
    ...member('farah', 'Farah Mirzadeh', 'regular', 'America/Toronto'),
    shop: 'Warp Letters',
    about: 'Weaving on frames you can build in an hour, and one crochet fox.',
  },
  {
    ...member('giulia', 'Giulia Serantoni', 'regular', 'Europe/Rome'),
    shop: 'Terrazzo Lab',
    about: 'Surfaces and numbers for designers: stone, chips, countdowns.',
  },
  {
    ...member('hana', 'Hana Kurosaka', 'casual', 'Asia/Tokyo'),
    shop: 'Rain Attic',
    about: 'Recordings for sleeping and sheets for renovating. My leaky roof explains both.',
  },
  {
    ...member('isak', 'Isak Njalsson', 'quiet', 'Atlantic/Reykjavik'),
    shop: 'North Shore Sound',
    about: 'Weather, recorded and photographed, mostly at night.',
  },
  {
    ...member('jola', 'Jolanta Petrauskyte', 'casual', 'Europe/Vilnius'),
    shop: 'Open Hours Signs',
    about: 'Signs for small shops that say open, closed and back in ten minutes.',
  },
  {
    ...member('kofi-beats', 'Kofi Asamankese', 'keen', 'Africa/Accra'),
    shop: 'Late Bus',
    about: 'Drum loops made on the way home.',
  },
  {
    ...member('lucia', 'Lucia Bermejal', 'regular', 'America/Bogota'),
    shop: 'Small Spaces',
    about: 'Welcome books for guests, and furniture for dolls.',
  },
  {
    ...member('mateus', 'Mateus Quintanova', 'regular', 'America/Sao_Paulo'),
    shop: 'Slow Trail',
    about: 'Hikes far, carries little, brings a small guitar.',
  },
  {
    ...member('noor', 'Noor El-Hadary', 'casual', 'Africa/Cairo'),
    shop: 'Noor Cuts',
    about: 'Cut patterns for lasers, and cut paper for titles.',
  },
  {
    ...member('olu', 'Olu Fadairo', 'casual', 'America/Chicago'),
    shop: 'Straight Books',
    about: 'A bookkeeper for makers, explaining the part everybody puts off.',
  },
  {
    ...member('petra', 'Petra Zvonarek', 'regular', 'Europe/Zagreb'),
    shop: 'Fold Line',
    about: 'Calm documents and small paper cottages.',
  },
  {
    ...member('rafi', 'Rafi Mendelow', 'quiet', 'America/New_York'),
    shop: 'Salt Road Press',
    about: 'Bread on weekdays, tabletop adventures at the weekend.',
  },
  {
    ...member('sunniva', 'Sunniva Gjerde', 'regular', 'Europe/Oslo'),
    shop: 'Ferry Wool',
    about: 'Sweaters designed on a ferry, and the meals that five people agreed on.',
  },
  {
    ...member('tariq', 'Tariq Haddawi', 'quiet', 'Asia/Amman'),
    shop: 'Right Box',
    about: 'One tool about cardboard boxes. It has taken four years.',
  },
  {
    ...member('ulla', 'Ulla Rasmark', 'keen', 'Europe/Stockholm'),
    shop: 'Class Nine',
    about: 'A teacher who makes planners in June and puzzles in December.',
  },
  {
    ...member('vera', 'Vera Lozanova', 'quiet', 'Europe/Sofia'),
    shop: 'Rota Board',
    about: 'I ran a café for nine years and wrote the shift planner that I wanted.',
  },
  {
    ...member('wei-lin', 'Wei-Lin Teoh', 'casual', 'Asia/Singapore'),
    shop: 'Clear Chart',
    about: 'Tools that make charts and colors easier to read.',
  },
]

/** One admin and one support; they list no products. */
export const staff: CastMember[] = [
  {
    ...member('ada', 'Ada Holmwood', 'regular', 'Europe/London'),
    shop: '',
    about: 'Looks after the club.',
    role: 'admin',
  },
  {
    ...member('sam', 'Sam Arisaka', 'regular', 'Europe/London'),
    shop: '',
    about: 'Answers messages and reads reports.',
    role: 'support',
  },
]

export const cast: CastMember[] = [...members, ...staff]

/** The accounts that the start command prints, with `demoPassword`. */
export const demoLogins: { username: string; email: string; as: string }[] = [
  { username: 'anna', email: 'anna@evenhand.example', as: 'a member' },
  { username: 'ben', email: 'ben@evenhand.example', as: 'another member' },
  { username: 'sam', email: 'sam@evenhand.example', as: 'support' },
  { username: 'ada', email: 'ada@evenhand.example', as: 'the admin' },
]

function member(
  username: string,
  fullName: string,
  temperament: Temperament,
  timeZone: string,
  standing: Standing = 'balanced',
) {
  return {
    username,
    fullName,
    displayName: fullName.split(' ')[0] ?? fullName,
    email: `${username}@evenhand.example`,
    role: 'user' as CastMember['role'], // widened, so that staff may replace it
    temperament,
    standing,
    timeZone,
  }
}
