// The demo's made-up marketplace and what the members of the cast sell there. Nothing here exists outside the
// demo.

type SeedCategory = 'template' | 'tool' | 'design' | 'guide' | 'course' | 'audio' | 'video' | 'other'

export type SeedProduct = {
  /** Names the product in tests and review texts; unique. */
  slug: string
  /** The username of the cast member who sells it. */
  seller: string
  title: string
  category: SeedCategory
  description: string
  tags: string[]
  /** The ordinary price in cents; null means free. */
  priceCents: number | null
  /** What a reviewer pays with the coupon, in cents: 0 or 50. */
  couponPriceCents: 0 | 50
  couponCode: string
  couponLink: string
}

export const marketplace = {
  name: 'Maker Lane',
  host: 'makerlane.example',
  imageHosts: ['images.makerlane.example'],
  lane: 'public',
  policyUrl: 'https://makerlane.example/policies/reviews',
  /** How its listings are addressed, and what its coupons look like. */
  listingPaths: ['/listing/{id}', '/listing/{id}/{title}'],
  listingIdForm: '[0-9]{1,20}',
  couponParameter: 'coupon',
  couponForms: ['[A-Za-z0-9_-]{2,40}'],
  /** The sentence of the policy that the operator relies on. */
  policySentence:
    'Sellers may take part in review exchanges when the buyer has really bought the item, the ' +
    'discount is open to see, and each review says in its first line how it came about.',
  /** What a member reads before the first product or offer. */
  policySummary:
    'Maker Lane allows exchanged reviews that say so in their first line. Reviews that hide it may be ' +
    'removed, and a listing or an account may be closed. Evenhand does not hide that you are a member.',
  allowedCouponPricesCents: [0, 50],
  verifiedPurchaseWord: 'Verified Purchase',
  disclosure: 'I belong to a review exchange and bought this with a discount code; my opinion is my own.',
} as const

/** Every product of the demo, grouped by category. */
export const products: SeedProduct[] = [
  // Templates
  product(
    'household-budget',
    'anna',
    'template',
    'Even Keel: a household budget for two incomes',
    'A spreadsheet with twelve monthly tabs and one yearly view, for two people who share some costs ' +
      'and not others. Each cost has an owner and a share, and the last tab says who owes whom. Comes ' +
      'as .xlsx and .ods with a six-page PDF guide. No macros.',
    'budget, household, couples, spreadsheet, money',
    1400,
  ),
  product(
    'wedding-budget',
    'anna',
    'template',
    'Two Families, One Table: wedding budget spreadsheet',
    'Ninety common cost lines, sorted by when they must be paid rather than by theme. Has a guest ' +
      'list that changes the catering estimate as answers arrive, and a page for deposits with their ' +
      'dates. Files: .xlsx, .ods and a printable checklist of four pages.',
    'wedding, budget, guest list, spreadsheet, checklist',
    1850,
  ),
  product(
    'reading-year',
    'clara',
    'template',
    'Reading Year: a book tracker that fits on one page',
    'A year of reading on one spread: a shelf to color in, a list of what you gave up on, and twelve ' +
      'small boxes for one sentence a month. PDF in A4, A5 and letter size, plus a fillable version for ' +
      'tablets and a plain text version for note apps.',
    'reading, books, tracker, printable, journal',
    600,
  ),
  product(
    'studio-invoices',
    'nadia',
    'template',
    'Small Studio Papers: invoice, quote and reminder set',
    'Seven documents with one look: quote, contract summary, deposit invoice, final invoice, receipt ' +
      'and two reminders, the second firmer than the first. Editable .docx and .odt files, in A4 and ' +
      'letter, with notes in the margin saying which lines the law usually asks for.',
    'invoice, freelance, small business, documents',
    1600,
  ),
  product(
    'one-desk-tracker',
    'oskar',
    'template',
    'One Desk: project tracker for a studio of one',
    'A workbook that answers three questions each Monday: what is promised, what is paid, and where ' +
      'the free days are. Holds up to forty projects a year. Includes an example year filled with ' +
      'made-up clients, so that you can see it in use. Formats: .xlsx and .ods.',
    'project tracker, freelance, planning, spreadsheet',
    1200,
  ),
  product(
    'meal-plan-52',
    'sunniva',
    'template',
    'Five at Dinner: a 52-week meal plan with shopping lists',
    'Fifty-two weekly plans with a shopping list sorted by the aisles of an ordinary supermarket. Two ' +
      'dinners a week use leftovers, and each recipe fits on half a page. PDF, 118 pages, with a blank ' +
      'set and a list of swaps for nuts, milk and wheat.',
    'meal plan, family, recipes, shopping list, printable',
    1100,
  ),
  product(
    'calm-resume',
    'petra',
    'template',
    'Calm Résumé: a one-column résumé and letter pair',
    'A résumé with no bars, stars or photo circle, made so that both people and parsing software can ' +
      'read it. One-page and two-page versions, with a matching letter. Files in .docx and .odt with ' +
      'free fonts only, and a short guide on what to leave out.',
    'resume, cover letter, job search, document',
    900,
  ),
  product(
    'grant-planner',
    'chidi',
    'template',
    'Plain Case: grant application planner for small charities',
    'Keeps every application on one timeline with its deadline, amount, contact history and the ' +
      'answers you have already written. An answer bank lets you reuse paragraphs and shows when each ' +
      'was last updated. One workbook (.xlsx, .ods) and an eight-page guide.',
    'grants, nonprofit, planner, fundraising',
    1500,
  ),
  product(
    'welcome-book',
    'lucia',
    'template',
    'Keys on the Hook: welcome book for a rented flat',
    'Sixteen pages that answer what guests ask every host: heating, rubbish, the difficult shower, ' +
      'where to eat on a Monday. Editable .docx and a layout file in .odg, with icons as SVG. There is ' +
      'an English text to start from and a Spanish one.',
    'guest book, hosting, welcome, editable',
    1050,
  ),
  product(
    'teacher-planner',
    'ulla',
    'template',
    'Class Nine: an undated teacher planner',
    'A planner for forty school weeks with seating plans, a page for each parent talk and a log for ' +
      'who borrowed what. Undated, so it begins when your year does. PDF of 164 pages with links ' +
      'between sections for tablets, and a print version with a wide inner margin.',
    'teacher, planner, undated, school, printable',
    1300,
  ),
  product(
    'kitchen-ledger',
    'hana',
    'template',
    'Kitchen Ledger: a renovation log with space for surprises',
    'Built during a real renovation that ran nine weeks late. Tracks quotes, payments, decisions and ' +
      'who said what on which date, with a contingency line that updates itself. Spreadsheet in .xlsx ' +
      'and .ods, plus ten printable pages for the site folder.',
    'renovation, kitchen, budget, log',
    null,
  ),

  // Tools
  product(
    'stitch-count',
    'ben',
    'tool',
    'Stitch Count: a knitting pattern resizer',
    'Enter your gauge and the pattern’s gauge and get new stitch counts for each step, rounded to the ' +
      'repeat you choose. One HTML file that works without a network on a phone, a tablet or a ' +
      'computer. Includes a printable row counter and six worked examples.',
    'knitting, calculator, gauge, pattern',
    800,
  ),
  product(
    'price-it',
    'ben',
    'tool',
    'Price It: a pricing calculator for handmade things',
    'Adds up material, time, fees, breakage and the evening spent packing, then shows what is left ' +
      'per hour. Saves up to two hundred products in your own browser and exports to CSV. A single HTML ' +
      'file; nothing is sent anywhere.',
    'pricing, calculator, handmade, small business',
    1200,
  ),
  product(
    'photo-renamer',
    'tomas',
    'tool',
    'Folder Tidy: rename photos by date and place',
    'A small program for desktop computers that renames a folder of photos by date, counter and a ' +
      'word you choose, and shows every new name before it touches a file. Undo is one button. Zip with ' +
      'builds for three systems and the source under an open licence.',
    'photos, rename, files, desktop',
    700,
  ),
  product(
    'contrast-bench',
    'wei-lin',
    'tool',
    'Contrast Bench: check a whole palette at once',
    'Paste up to twenty colors and see every pair with its contrast ratio, pass marks for small and ' +
      'large text, and a preview for three kinds of color blindness. Suggests the nearest color that ' +
      'passes. Works as a single HTML file and exports a PNG table.',
    'accessibility, color, contrast, palette, design',
    900,
  ),
  product(
    'long-exposure',
    'isak',
    'tool',
    'Night Table: long exposure calculator for the pocket',
    'Converts a daylight reading into the exposure behind dark filters and warns when the moon will ' +
      'be in the frame. Has a countdown that keeps the phone screen dark red. HTML file for phones, ' +
      'with a printable card for when the battery is gone.',
    'photography, night, calculator, exposure',
    500,
  ),
  product(
    'sourdough-clock',
    'rafi',
    'tool',
    'Dough Clock: a sourdough timetable that starts at breakfast',
    'Say when you want to eat and how warm your kitchen is; it works backwards to the minute you must ' +
      'feed the starter. Handles two loaves and an overnight rest. A spreadsheet (.xlsx, .ods) and a ' +
      'printable wheel made of two discs.',
    'baking, sourdough, timetable, calculator',
    400,
  ),
  product(
    'right-box',
    'tariq',
    'tool',
    'Right Box: find the smallest parcel that fits',
    'Type in the boxes you own and the things in the order; it tries every turn of every item and ' +
      'names the smallest box, with a drawing of how to pack it. Spreadsheet version and HTML version. ' +
      'Knows nothing about carriers or rates, only about space.',
    'shipping, packing, small business, calculator',
    1100,
  ),
  product(
    'cross-grid',
    'jun',
    'tool',
    'Cross Grid: turn a picture into a stitch chart',
    'Turns any picture into a cross-stitch chart of the size and number of colors you set, with ' +
      'symbols that stay readable in black and white. Prints over several pages with overlap marks. ' +
      'HTML file; the color list uses plain RGB and no thread company’s numbers.',
    'cross stitch, chart, pattern maker, embroidery',
    1000,
  ),
  product(
    'loan-lane',
    'olu',
    'tool',
    'Loan Lane: see what one extra payment does',
    'A workbook for up to eight debts that compares paying the smallest first with paying the dearest ' +
      'first, month by month. A slider shows what an extra 20 a month changes. Works in any spreadsheet ' +
      'program; no macros, and the formulas are open to read.',
    'debt, loan, calculator, spreadsheet, money',
    650,
  ),
  product(
    'rota-board',
    'vera',
    'tool',
    'Rota Board: a shift planner for small cafés',
    'Plans four weeks for up to fourteen people, counts hours, and turns a cell red when someone ' +
      'closes at night and opens the next morning. Prints one page for the kitchen wall. Spreadsheet in ' +
      '.xlsx and .ods with a filled example and a five-page guide.',
    'shifts, rota, cafe, planner, staff',
    1700,
  ),

  // Designs
  product(
    'pressed-meadow',
    'mireille',
    'design',
    'Pressed Meadow: sixty watercolour wildflowers',
    'Sixty flowers and grasses painted on cold-pressed paper, scanned at 600 dpi and cut out with ' +
      'their soft edges kept. Transparent PNG files of about 3,000 pixels, with twelve ready ' +
      'arrangements and a list of the plants’ names. Licence covers small print runs.',
    'watercolour, wildflowers, clipart, botanical, png',
    1400,
  ),
  product(
    'harbour-brushes',
    'leo-paints',
    'design',
    'Harbour Light: 24 oil texture stamps',
    'Twenty-four stamps taken from real oil paint: knife scrapes, dry brush, thinned washes and three ' +
      'kinds of crackle. Gray-scale PNG files at 4,000 pixels that load as brush tips in common ' +
      'painting programs. With a two-page sheet showing each stroke at three sizes.',
    'brushes, texture, oil paint, digital painting',
    1600,
  ),
  product(
    'monsoon-patterns',
    'priya-draws',
    'design',
    'Monsoon Drawer: forty seamless geometric patterns',
    'Forty repeating patterns based on drain covers, window grilles and wet tiles. Each comes as SVG ' +
      'and as a PNG tile in five color sets, and the colors of the SVG can be changed in one place. ' +
      'Licence covers cloth, paper and screens.',
    'seamless pattern, geometric, svg, textile',
    1500,
  ),
  product(
    'kitchen-linocuts',
    'rosa_prints',
    'design',
    'Kitchen Herbs: nine printable linocuts',
    'Nine herbs cut in lino and printed in one color, scanned so that the small flaws of the press ' +
      'can be seen. PDF and PNG in five frame sizes up to 50 by 70 cm. Includes a version without names ' +
      'for people who like to guess.',
    'linocut, wall art, kitchen, printable, herbs',
    1000,
  ),
  product(
    'folk-border',
    'zofia',
    'design',
    'Folk Border: painted corners, edges and rosettes',
    'Seventy-two pieces that join into frames of any length: corners, edges, rosettes, two roosters. ' +
      'Painted with a brush and traced by hand into clean SVG with few points, so they cut well. Also ' +
      'PNG with transparent ground. A page shows how the pieces meet.',
    'folk art, border, svg, frames, cut file',
    1200,
  ),
  product(
    'terrazzo-surfaces',
    'giulia',
    'design',
    'Terrazzo Lab: thirty stone chip surfaces',
    'Thirty seamless terrazzo surfaces at 4,096 pixels, built from photographs of real chips and then ' +
      'arranged by hand, so no two neighbors repeat. JPG tiles, a matching bump map for each, and a ' +
      'color card with printed-ink values.',
    'terrazzo, texture, seamless, surface, 3d',
    1800,
  ),
  product(
    'hedge-icons',
    'wren',
    'design',
    'Hedge Notes: eighty small bird icons',
    'Eighty garden birds as line icons on a 32-pixel grid, each recognisable by its bill, tail and ' +
      'posture. SVG and PNG in three weights. The names are in five languages in a CSV file, and a ' +
      'local bird group checked the drawings.',
    'icons, birds, svg, nature, line art',
    1300,
  ),
  product(
    'fjord-type',
    'dagny',
    'design',
    'Nordfall: a display typeface in three widths',
    'A display face with low contrast and cut corners, for headings of two to six words. Three ' +
      'widths, 410 glyphs each, with Latin for most of Europe, old-style figures and eleven arrows. OTF ' +
      'and WOFF2 files, desktop and web licence in one, and a sample PDF of 20 pages.',
    'font, display type, lettering, otf',
    2400,
  ),
  product(
    'deckle-invitations',
    'kavya',
    'design',
    'Deckle Post: a wedding invitation suite',
    'Invitation, answer card, details card, envelope liner and menu, drawn with thin rules and one ' +
      'small bird. Editable text in .odg and .svg files, with PDF versions whose fields can be filled ' +
      'in. Made for home printers and cotton paper; bleed marks included for print shops.',
    'wedding, invitation, stationery, printable',
    1900,
  ),
  product(
    'paper-moon-prints',
    'emil',
    'design',
    'Paper Moon Nursery: six prints for a child’s wall',
    'Six night scenes built from cut paper and lit from one side, then photographed: a moon over ' +
      'roofs, a fox on a wall, a boat on a bath. JPG at 300 dpi for A3 and A4 and a square crop. The ' +
      'set works alone or side by side as one long street.',
    'nursery, wall art, paper cut, printable',
    1100,
  ),
  product(
    'lattice-panels',
    'noor',
    'design',
    'Lattice Light: twelve laser-cut panel patterns',
    'Twelve lattice patterns after wooden window screens, drawn for cutting: closed paths, no doubled ' +
      'lines, bridges never thinner than 2 mm at the given size. SVG and DXF, with a test strip that ' +
      'shows how your machine handles the smallest gap.',
    'laser cut, lattice, svg, dxf, panel',
    1400,
  ),
  product(
    'open-hours-signs',
    'jola',
    'design',
    'Open Hours: signs for a small shop',
    'Thirty-four signs in one clear style: opening hours, back soon, no cash, mind the step, please ' +
      'do not feed the cat. A4 and A5 PDF with text you can change, and SVG for cutting vinyl. Words in ' +
      'English, German and Lithuanian.',
    'signs, shop, printable, small business',
    850,
  ),

  // Guides
  product(
    'slow-dye-pot',
    'grete',
    'guide',
    'The Slow Dye Pot: natural dyes in a small kitchen',
    'A guide to dyeing wool and cotton with nine plants that are easy to find. Says what each needs, ' +
      'how long it lasts in sun, and which pots you must never cook in again. PDF and EPUB, 84 pages, ' +
      '60 photographs of real swatches, with a table of amounts per 100 g.',
    'natural dye, wool, craft, ebook',
    1500,
  ),
  product(
    'balcony-harvest',
    'imani',
    'guide',
    'Balcony Acre: vegetables for two square metres',
    'What to grow when there is space for six pots, ordered by how much food each gives. Covers wind, ' +
      'heat from walls, watering while away, and the crops that are not worth it. PDF, 62 pages, with a ' +
      'planting calendar for warm and for cold places.',
    'gardening, balcony, vegetables, ebook',
    1100,
  ),
  product(
    'north-window',
    'quentin',
    'guide',
    'North Window: photograph your ceramics without a lamp',
    'How to take clear pictures of glazed things with one window, a sheet of card and a phone. ' +
      'Thirty-one pairs of before and after, with a drawing of where everything stood. PDF, 48 pages, ' +
      'and a one-page checklist to pin up.',
    'photography, product photos, ceramics, ebook',
    1200,
  ),
  product(
    'second-chain',
    'hugo',
    'guide',
    'Second Chain: fourteen bicycle repairs at home',
    'Fourteen repairs, from a loose saddle to a worn bottom bracket, each with the tools, the time it ' +
      'takes a beginner, and the moment to stop and go to a workshop. PDF and EPUB, 96 pages with line ' +
      'drawings. Written for ordinary city bicycles.',
    'bicycle, repair, diy, ebook',
    1300,
  ),
  product(
    'mesa-chica',
    'ximena',
    'guide',
    'Mesa Chica: twenty salsas and what to eat with them',
    'Twenty salsas from very mild to not mild at all, each with a note on which dried chillies can ' +
      'stand in for which. Weights in grams and cups. PDF, 58 pages, with a color scale for heat that ' +
      'three families have tested.',
    'recipes, salsa, cooking, ebook',
    900,
  ),
  product(
    'warp-letters',
    'farah',
    'guide',
    'Warp Letters: first weavings on a frame you build',
    'Builds a frame from four pieces of wood, then makes six weavings on it, each adding one ' +
      'technique. Drawings show the thread from the weaver’s side. PDF, 70 pages, A4 and letter, with a ' +
      'list of yarns by thickness.',
    'weaving, loom, craft, beginner, ebook',
    1200,
  ),
  product(
    'market-stall',
    'abena',
    'guide',
    'Folding Table: a market stall in one weekend',
    'A plan for the first market day, from Friday evening to Sunday night: the table, the prices, the ' +
      'change in the tin, rain. Comes with a packing list, three stall layouts to scale ' +
      'and a sheet for what sold. PDF, 44 pages.',
    'market stall, selling, craft fair, guide',
    800,
  ),
  product(
    'quiet-inbox',
    'clara',
    'guide',
    'A Quiet Inbox: thirty days of fewer emails',
    'One small change a day for thirty days, none longer than ten minutes. Works with any mail ' +
      'program that has folders and rules. PDF and EPUB, 52 pages, with the wording of nine polite ' +
      'messages that end long threads.',
    'email, productivity, habits, ebook',
    700,
  ),
  product(
    'slow-trail',
    'mateus',
    'guide',
    'Slow Trail: pack for five days under seven kilos',
    'A packing method for walkers who sleep in huts. Weighs everything, explains what was left at ' +
      'home and why, and has three complete lists for summer, rain and the shoulder season. PDF, 40 ' +
      'pages, and a spreadsheet for your own weights.',
    'hiking, packing list, travel, guide',
    null,
  ),
  product(
    'legend-and-scale',
    'yusuf',
    'guide',
    'Legend and Scale: how to read an old map',
    'Explains scale bars, hachures, lost units and why so many coasts are wrong, using maps drawn for ' +
      'this book. Ends with a method for finding your own street on a map two hundred years old. PDF ' +
      'and EPUB, 110 pages, 48 drawings.',
    'maps, history, reading, ebook',
    1400,
  ),

  // Courses
  product(
    'five-stitched-books',
    'dario',
    'course',
    'Signature and Spine: five stitched books',
    'Five books in five lessons, from one folded sheet to a case binding with a round spine. About ' +
      'four hours of video (MP4, captions in English and Italian) with templates as PDF. The first two ' +
      'books need only a needle and a kitchen knife.',
    'bookbinding, craft, video course, beginner',
    3200,
  ),
  product(
    'sketch-the-street',
    'bruno',
    'course',
    'Corner Sketch: pen and wash in twelve lessons',
    'Twelve lessons of twenty minutes, each filmed on a real street corner, including the ones where ' +
      'it began to rain. Covers perspective by eye, people who do not stand still, and when to stop. ' +
      'MP4 video, reference photographs and a practice plan for a month.',
    'drawing, urban sketching, watercolour, video course',
    2800,
  ),
  product(
    'third-cup',
    'selam',
    'course',
    'Third Cup: make better coffee by tasting',
    'Eight audio and video lessons that change one thing at a time: grind, water, heat, time. Needs ' +
      'any brewer you already own and a kitchen scale. MP4 and MP3, 2.5 hours in all, with a tasting ' +
      'sheet as PDF and a table for writing down results.',
    'coffee, tasting, brewing, course',
    2200,
  ),
  product(
    'running-thread',
    'uma',
    'course',
    'Running Thread: twenty embroidery stitches in ten evenings',
    'Ten lessons with two stitches each, filmed from above with the hand in full view, at normal and ' +
      'at half speed. Ends with a small sampler of a cottage and its garden. MP4 video (3 hours), pattern ' +
      'as PDF in two sizes, left-handed version included.',
    'embroidery, stitches, sampler, video course',
    2600,
  ),
  product(
    'cells-without-fear',
    'tomas',
    'course',
    'Plain Cells: spreadsheets without fear',
    'Nine lessons for people who have only ever typed into cells: sorting, sums, lookups, dates, and ' +
      'how to find out why a number is wrong. Each has a practice file with a hidden mistake. MP4 (3.5 ' +
      'hours) and 18 workbooks in .xlsx and .ods.',
    'spreadsheet, beginner, office, video course',
    2900,
  ),
  product(
    'canvas-bag',
    'vilde',
    'course',
    'Canvas Harbour: sew a waxed bag on a home machine',
    'One bag from first cut to last rivet, in eleven short films. Explains which needle survives four ' +
      'layers, how to wax cloth with an iron, and how to rescue a crooked seam. MP4 (2 hours) with ' +
      'captions and a full-size pattern as PDF for A4, letter and A0.',
    'sewing, bag, waxed canvas, video course, pattern',
    2700,
  ),
  product(
    'straight-books',
    'olu',
    'course',
    'Straight Books: bookkeeping for people who make things',
    'Six lessons about receipts, stock, fees and what to put aside, taught with the books of one ' +
      'made-up pottery. General principles only, no tax advice for a country. MP4 video (2 hours 40), a ' +
      'workbook in .xlsx and a glossary of 40 words.',
    'bookkeeping, small business, makers, video course',
    3000,
  ),
  product(
    'price-your-work',
    'anna',
    'course',
    'Three Evenings: put a price on your work',
    'A short course in three sittings: what it costs you, what it is worth to others, and how to say ' +
      'the number aloud. Each evening is a 35-minute film and a worksheet that takes about an hour. MP4 ' +
      'with captions, PDF worksheets, and a spreadsheet for the sums.',
    'pricing, freelance, makers, course',
    2400,
  ),

  // Audio
  product(
    'late-bus-loops',
    'kofi-beats',
    'audio',
    'Late Bus: twenty unhurried drum loops',
    'Twenty loops between 68 and 92 beats a minute, played on pads and left slightly late. Each comes ' +
      'whole and as separate kick, snare, hats and dust. WAV at 24 bit and 48 kHz, 160 files, with ' +
      'tempo and key in the names. Free to use in released music.',
    'drum loops, beats, wav, lo-fi, samples',
    1500,
  ),
  product(
    'tape-loft-piano',
    'dario',
    'audio',
    'Tape Loft: thirty felt piano sketches',
    'Thirty short pieces for an old upright with felt between hammer and string, recorded to tape in ' +
      'a bindery after hours. The chair and the pedals creak along. WAV and MP3, 15 to 70 seconds each, ' +
      'with MIDI files for those who want to change the notes.',
    'piano, felt, ambient, wav, midi',
    1800,
  ),
  product(
    'north-shore-field',
    'isak',
    'audio',
    'North Shore: forty field recordings of weather and water',
    'Wind in wire, ice on a lake, surf on black stones, a shed in a storm. Forty stereo recordings of ' +
      'one to six minutes at 96 kHz, with notes on place, date and microphones. WAV files, 9 GB, in ' +
      'four parts for slow connections.',
    'field recording, nature, sound effects, ambience',
    2200,
  ),
  product(
    'rain-attic',
    'hana',
    'audio',
    'Rain Attic: eight hours of rain on different roofs',
    'Eight recordings of one hour: tin, tiles, a tent, an umbrella, leaves, a gutter, a car roof, an ' +
      'attic window. No thunder, no music, no loop shorter than the hour. MP3 and FLAC. Recorded in one ' +
      'rainy season, mostly at night.',
    'rain, sleep, ambience, white noise',
    900,
  ),
  product(
    'workshop-sounds',
    'bruno',
    'audio',
    'Shop Floor: 300 workshop sound effects',
    'Planes, saws, files, hammers, vices and the floor being swept, recorded close and from the ' +
      'far wall. Three hundred WAV files at 24 bit, trimmed and named by tool, material and distance. A ' +
      'CSV list helps you search. Cleared for film and games.',
    'sound effects, foley, workshop, wav',
    2500,
  ),
  product(
    'nylon-loops',
    'mateus',
    'audio',
    'Small Guitar: fifty nylon string loops',
    'Fifty two- and four-bar loops on a travel guitar, fingerstyle, in six keys. Dry recordings with ' +
      'a little air, so they take effects well. WAV at 24 bit, with tempo and chords in the file name ' +
      'and a PDF of chord charts.',
    'guitar loops, nylon, acoustic, samples',
    1400,
  ),
  product(
    'clay-percussion',
    'elif',
    'audio',
    'Clay Hour: percussion made from pots',
    'Two hundred and ten single hits on bowls, bricks, tiles and an unfired jar that did not survive. ' +
      'Four loudness steps and three repeats for each sound. ' +
      'WAV at 24 bit, plus mappings in the open SFZ format.',
    'percussion, one-shots, sfz, samples',
    1600,
  ),
  product(
    'archive-beds',
    'yusuf',
    'audio',
    'Archive Hours: sixteen music beds for talking',
    'Sixteen calm pieces to put under speech, each in a 30-second, a 60-second and a three-minute ' +
      'version that ends properly. Written without melody in the range of the voice. WAV and MP3, with ' +
      'stems for drums and pads. Licence covers podcasts and lectures.',
    'podcast music, background, intro, wav',
    2000,
  ),
  product(
    'small-bells',
    'selam',
    'audio',
    'Small Bells: timers that do not startle',
    'Twenty-four sittings of 5 to 45 minutes that begin and end with one of six hand bells, with ' +
      'silence or a faint background tone between. Also the single bells, for use as alarms. ' +
      'MP3 and WAV. No one speaks.',
    'meditation, bells, timer, mp3',
    null,
  ),
  product(
    'two-voices',
    'vilde',
    'audio',
    'Choir of Two: vocal textures without words',
    'Ninety textures by two singers in a boat shed: held vowels, slow clusters, breaths and one ' +
      'shout across the water. In eight keys, dry and with the shed. WAV at 24 bit, 3.1 GB, and a PDF ' +
      'that lists the key, length and vowel of every file.',
    'vocal samples, choir, textures, wav',
    1900,
  ),

  // Video
  product(
    'ink-bloom',
    'jun',
    'video',
    'Ink Bloom: forty transitions filmed in water',
    'Forty clips of ink opening in a tank, black on white and white on black, for use as mattes ' +
      'between shots. 4K at 60 frames, 2 to 5 seconds, as MP4 and image sequences only. A ten-minute ' +
      'film shows how to place them in common editors.',
    'transitions, ink, overlay, 4k, matte',
    2100,
  ),
  product(
    'paper-titles',
    'noor',
    'video',
    'Paper Titles: twelve cut-paper title cards',
    'Twelve title cards animated from real cut paper, with a blank area where your words go. Each ' +
      'lasts six seconds and has an opening and a closing half. MP4 at 1080 and 4K, and MOV with ' +
      'transparent ground. Instructions for three kinds of editing program.',
    'titles, paper, stop motion, animation',
    1800,
  ),
  product(
    'dust-and-light',
    'quentin',
    'video',
    'Dust and Leak: thirty soft light overlays',
    'Thirty overlays made with one window, a prism and a dusty lens, in 4K at 25 frames. They are ' +
      'quiet: most are meant for 10 to 30 percent. MP4 on black for screen mode, ' +
      'each 12 seconds long and built to loop.',
    'overlay, light leak, dust, 4k',
    1300,
  ),
  product(
    'countdown-pack',
    'giulia',
    'video',
    'Ten to One: fifteen countdowns that stay on the beat',
    'Fifteen animated countdowns from ten, each frame-exact to one second, in square, tall and wide. ' +
      'MP4 and transparent MOV, with a silent and a ticking version. ' +
      'Numbers in two typefaces with free licences.',
    'countdown, animation, stream, titles',
    1200,
  ),
  product(
    'plain-captions',
    'chidi',
    'video',
    'Plain Captions: lower thirds for honest documentaries',
    'Eighteen lower thirds that appear, wait and leave without bouncing. Name and role, place and ' +
      'date, translation, and a source line. Transparent MOV with text areas, and editable SVG frames. ' +
      'Legible on a phone; tested against bright skies.',
    'lower thirds, documentary, titles, motion',
    1600,
  ),
  product(
    'window-loops',
    'elif',
    'video',
    'Slow Windows: ten loops for a screen that is always on',
    'Ten looping scenes of three minutes seen through a window: snow, a night train, laundry, a ' +
      'harbour waking up. Drawn and animated by hand at 12 frames. ' +
      'MP4 at 4K and at 1080, no sound, no visible seam.',
    'background, loop, stream, animation',
    1500,
  ),
  product(
    'chart-motion',
    'wei-lin',
    'video',
    'Clear Chart: motion kit for numbers',
    'Bars, lines, dots and one honest pie, animated so that the axis always starts where it should. ' +
      'Twenty-two transparent clips and a browser page that makes more from your own numbers and saves ' +
      'them as image sequences. With a guide of 12 pages on what not to animate.',
    'charts, motion graphics, data, explainer',
    2300,
  ),
  product(
    'paper-forest',
    'emil',
    'video',
    'Paper Forest: bedtime stop motion scenes',
    'Eight scenes of a paper forest at night, 20 to 40 seconds each, with an owl that blinks once. ' +
      'Shot at 12 frames with real shadows. MP4 in 4K for use in your own films and readings; the ' +
      'forest without the owl is included.',
    'stop motion, forest, children, background',
    1400,
  ),

  // Other
  product(
    'lighthouse-game',
    'ulla',
    'other',
    'The Keeper’s Last Log: a printable escape game',
    'A puzzle evening for three to six people from about eleven years, ninety minutes long. Nineteen ' +
      'sheets to print, six envelopes to label, three levels of hints. Needs scissors, a mirror and ' +
      'the lights off. PDF in A4 and letter, color or gray.',
    'escape game, puzzle, printable, party',
    1500,
  ),
  product(
    'salt-road',
    'rafi',
    'other',
    'The Salt Road: a one-evening tabletop adventure',
    'A caravan, a dry well and five people who each remember it differently. An adventure for one evening ' +
      'and three to five players that works with any rules of the usual fantasy kind. PDF of 32 pages, ' +
      'maps with and without names, and six ready characters.',
    'tabletop, adventure, roleplaying, pdf',
    700,
  ),
  product(
    'star-path-quilt',
    'abena',
    'other',
    'Star Path: a quilt in four sizes',
    'A quilt of one block turned four ways, which looks harder than it is. Sizes from cradle to large ' +
      'bed, with cutting charts that count the scraps. PDF of 18 pages, a coloring page to plan with, ' +
      'and templates at true size for those without a rotary cutter.',
    'quilt, sewing pattern, patchwork, pdf',
    1100,
  ),
  product(
    'corner-fox',
    'farah',
    'other',
    'Corner Fox: a crochet pattern for a patient fox',
    'A sitting fox of about 22 cm in simple stitches, worked in the round, with a tail that holds him ' +
      'up. Written steps and charts, photographs of the face from four sides. PDF of 14 pages in ' +
      'English and French. Skill: you can read a pattern but dislike sewing up.',
    'crochet, amigurumi, fox, pattern',
    650,
  ),
  product(
    'ferry-sweater',
    'sunniva',
    'other',
    'Ferry Wool: a yoked sweater in nine sizes',
    'A sweater knitted from the top with a yoke of small waves, in nine sizes from 80 to 150 cm ' +
      'chest. Charts and written rows, a table of yarn by weight and length, and advice on making the ' +
      'body longer. PDF of 22 pages in English and Norwegian.',
    'knitting pattern, sweater, yoke, wool',
    850,
  ),
  product(
    'paper-village',
    'petra',
    'other',
    'Fold Line: a paper village of eleven cottages',
    'Eleven cottages, a church that opens and a bridge, to print on thick paper, cut and fold. Each ' +
      'sheet takes 20 to 50 minutes. PDF in A4 and letter, and SVG for cutting machines. Lit from below ' +
      'by a string of small lights, they look best.',
    'papercraft, village, template, winter',
    950,
  ),
  product(
    'bird-bingo',
    'wren',
    'other',
    'Hedge Bingo: cards for a stroll with children',
    'Thirty different cards with birds, tracks, feathers and things that are merely lying about. Four ' +
      'levels, from three years to grown-up, and a sheet that says what you really saw. PDF, two cards ' +
      'to a page, in color and in gray.',
    'children, nature, game, printable',
    null,
  ),
  product(
    'doll-furniture',
    'lucia',
    'other',
    'Small Spaces: dollhouse furniture plans at 1:12',
    'Plans for fourteen pieces from coffee stirrers and 2 mm plywood: beds, a dresser with drawers ' +
      'that open, a stove. Drawings at true size, cutting lists and an order of gluing. PDF of 38 pages ' +
      'and DXF for those with a laser.',
    'miniature, dollhouse, woodwork, plans',
    1000,
  ),
]

function product(
  slug: string,
  seller: string,
  category: SeedCategory,
  title: string,
  description: string,
  tags: string,
  priceCents: number | null,
): SeedProduct {
  const number = listingNumber(slug)
  const couponCode = `EVEN-${slug.replaceAll('-', '').slice(0, 5).toUpperCase()}${number % 90}`
  return {
    slug,
    seller,
    category,
    title,
    description,
    tags: tags.split(', '),
    priceCents,
    couponPriceCents: priceCents === null || number % 3 > 0 ? 0 : 50,
    couponCode,
    couponLink: `https://${marketplace.host}/listing/${number}?coupon=${couponCode}`,
  }
}

/**
 * A listing number that looks like the marketplace's own: nine digits, the same for a slug on every machine.
 */
function listingNumber(slug: string): number {
  let hash = 7
  for (const letter of slug) hash = (hash * 31 + letter.charCodeAt(0)) % 899_999_963
  return 100_000_000 + hash
}
