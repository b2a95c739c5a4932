// What the members of the demo club say about each other's products. Honest ones: some are lukewarm, some are
// critical. The product puts the disclosure in front of each text, so none begins with it.

export type SeedReview = {
  /** The slug of a product in products.ts. */
  product: string
  rating: 2 | 3 | 4 | 5
  text: string
  usedFor: string
  notFor: string
}

/** Two texts for each product; no two are near-duplicates of each other. */
export const reviewTexts: SeedReview[] = [
  // Templates
  review(
    'household-budget',
    5,
    'We have argued about the electricity bill for six years and this ended it in one Sunday. The ' +
      'idea that a cost has an owner and a share is simple, and the last tab just says I owe him 41. I ' +
      'copied our January in to test it and the sums agreed with the bank. ' +
      'The guide is short and I only needed page two.',
    'Sorting out shared rent, food and two cars with my partner.',
    'Someone who lives alone would carry half the columns for nothing.',
  ),
  review(
    'household-budget',
    3,
    'Solid, but it assumes both people get paid once a month. I am paid weekly, so the first tab ' +
      'never looks right until the month is over. I ended up adding my own column for weeks. The yearly ' +
      'view is good and prints well on one page. ' +
      'With a weekly option I would recommend it without a second thought.',
    'Three months of household costs with my sister, who rents with me.',
    'People on weekly wages, unless they are happy to change the first tab.',
  ),
  review(
    'wedding-budget',
    4,
    'Sorting by due date instead of theme is what made me keep it open. In March I could see that ' +
      'three deposits fell in the same week and moved one. The guest list works, though typing 140 ' +
      'names on a phone was no fun. The checklist is plain, which my mother liked. ' +
      'I would have wanted a column for tips.',
    'Planning a wedding for about 140 guests in September.',
    'Couples with a planner, since the planner will have a sheet of their own.',
  ),
  review(
    'wedding-budget',
    2,
    'This is made for a big wedding with caterers and deposits. Ours is twenty people in a garden, ' +
      'and after I hid everything that did not apply there were eleven rows left, and the totals tab ' +
      'then showed errors in two cells. Unhiding fixed that. It is carefully made, ' +
      'only not for us, and the listing could say so.',
    'I tried to plan a small garden wedding with it and went back to paper.',
    'Anybody with fewer than forty guests or no caterer.',
  ),
  review(
    'reading-year',
    5,
    'The list of books I gave up on turned out to be the best part. I print trackers every year and ' +
      'abandon them by spring, and this one is still on my fridge because there is so little to fill ' +
      'in. One sentence a month is about what I can manage. ' +
      'Printed on A5 the shelf is small but fine with a sharp pencil.',
    'Keeping track of what I read this year, on paper.',
    'Readers who want numbers and charts about their reading.',
  ),
  review(
    'reading-year',
    3,
    'Pretty page, and it printed cleanly in letter size. I read eight or nine books a month though, ' +
      'and the shelf is full after sixty spines, so by summer I was drawing extra ones in the margin. ' +
      'The fillable version has no undo in my tablet reader. For someone who reads a moderate amount it ' +
      'is probably exactly right.',
    'Logging books on my tablet, then on paper.',
    'Heavy readers and those who want to log audiobooks apart.',
  ),
  review(
    'studio-invoices',
    5,
    'I sent the second reminder on a Tuesday and was paid on Wednesday after four months of silence. ' +
      'The wording is firm without being rude, which I can never do by myself. All seven papers look ' +
      'like they come from the same place. Changing the accent color meant changing it in each ' +
      'document, a small thing. Margin notes deleted easily.',
    'Quotes and invoices for my illustration jobs.',
    'Companies that already have accounting software that prints invoices.',
  ),
  review(
    'studio-invoices',
    4,
    'Clean papers with sensible spacing, and the deposit invoice saved me from inventing one. Tables ' +
      'kept their shape in the free office program I use, which is rare. Note that the totals are typed ' +
      'by hand, nothing adds up by itself, so I check twice. ' +
      'The contract summary is only a page and I was glad of that.',
    'Billing for garden design work, about six invoices so far.',
    'Anyone who expects the document to do the arithmetic.',
  ),
  review(
    'one-desk-tracker',
    4,
    'Every Monday I open it, answer the three questions and close it again. That is all I want from a ' +
      'tracker. The example year is worth more than instructions because you see what a messy October ' +
      'looks like. My one complaint is color: late and nearly late are two oranges ' +
      'that I cannot keep apart on my old screen.',
    'Running a one-person print studio with about nine jobs at a time.',
    'Teams. There is no place to say who does what.',
  ),
  review(
    'one-desk-tracker',
    5,
    'After trying four apps I am back in a workbook and rather happy. Free days are counted for me, ' +
      'so I stopped promising things for weeks that do not exist. I filled in the whole spring in about ' +
      'half an hour. It opened without complaint in both programs I have, and the formulas are written ' +
      'so that one can follow them.',
    'Planning translation jobs from March to June.',
    'People who want reminders on their phone.',
  ),
  review(
    'meal-plan-52',
    5,
    'Shopping in aisle order sounds like nothing and it took twenty minutes off my Saturday. We are ' +
      'four and not five, so there is some extra, and that becomes lunch. Week six had lentils twice, ' +
      'which caused a small protest. The swaps for nuts are thought through properly: our youngest is ' +
      'allergic and I did not have to guess once.',
    'Nine weeks of dinners for a family of four.',
    'Vegans; the swaps cover milk but many dishes are built on fish or egg.',
  ),
  review(
    'meal-plan-52',
    3,
    'The structure is good and the lists are tidy. The food itself is very northern: potatoes, cod, ' +
      'cabbage, dill. Where we live fresh cod costs more than steak, so every second week needed ' +
      'replanning and then the shopping list no longer matched. I kept the blank set, which I use all ' +
      'the time, and dropped most of the recipes.',
    'The blank weekly pages, mostly, after trying four of the plans.',
    'Cooks in hot places where these ingredients are dear or hard to find.',
  ),
  review(
    'calm-resume',
    4,
    'I had two interviews from the first eight letters, the same as before, so I will not claim ' +
      'miracles. But writing it took an evening instead of a week because there is only one column to ' +
      'think about. The guide advised me to cut my school years and it was right. ' +
      'Fonts were already on my computer.',
    'Applying for laboratory jobs after five years in one place.',
    'Designers or actors who need to show pictures.',
  ),
  review(
    'calm-resume',
    2,
    'Too calm for me. With fifteen years of work the two-page version ran onto a third page and the ' +
      'heading did not repeat, so the last page looked like it belonged to someone else. I could shrink ' +
      'the type but then the air that makes it nice is gone. The letter half is good and I do use that.',
    'Rewriting a long technical résumé.',
    'People with long careers or many publications.',
  ),
  review(
    'grant-planner',
    5,
    'Our charity is two people and a borrowed office. The answer bank alone is worth it: we had ' +
      'written our safeguarding paragraph eleven times in eleven ways. Now there is one with a date ' +
      'next to it. The timeline warned us that three deadlines fall in the first week of May. Setting ' +
      'up the old applications took me one long afternoon.',
    'Tracking fourteen applications for a youth choir.',
    'Large organisations with a fundraising database.',
  ),
  review(
    'grant-planner',
    4,
    'It does what the title says. I like that rejected applications stay visible, with a field for ' +
      'why, because we tend to lose track and apply again. Long answers get cut off on screen unless one ' +
      'widens the row by hand, and I did that forty times. ' +
      'Printing the timeline on A3 for the board meeting came out crisp.',
    'Planning a year of small arts grants for our board.',
    'Single artists with one or two applications a year; it is more than they need.',
  ),
  review(
    'welcome-book',
    4,
    'Guests stopped writing to me at midnight about the boiler, so it has done its work. I used ten ' +
      'of the sixteen pages. The page about the shower made two guests laugh aloud, it came through ' +
      'the wall. The Spanish text is natural. Replacing the icons was easy in one program and ' +
      'impossible in another, hence four.',
    'A printed book for the attic that I rent out in summer.',
    'Hosts with several flats, as every book has to be edited by hand.',
  ),
  review(
    'welcome-book',
    5,
    'What I like is the tone. It sounds like a person who is glad you came and would also like you to ' +
      'close the gate. I changed the names, the bus times and the rubbish days, printed it on heavier ' +
      'paper and put it on the table. Two hours, including a search for my own heating manual.',
    'A welcome folder for a cabin that my family lets out.',
    'Hotels, or anybody who needs more than two languages.',
  ),
  review(
    'teacher-planner',
    5,
    'Page links work in both readers on my tablet, which I test first because they often do not. ' +
      'Seating plans can be duplicated, and I have moved Jonas four times already. The log of borrowed ' +
      'things has returned two pairs of scissors and a calculator to me. Undated is right: our year ' +
      'starts in August and hers clearly does too.',
    'Planning a fourth class on a tablet since August.',
    'Teachers with more than about seven groups.',
  ),
  review(
    'teacher-planner',
    3,
    'I teach music to nineteen groups a week and this is built for one class teacher. There are not ' +
      'enough group pages and copying them breaks the links. For a class teacher the parent talk pages ' +
      'look excellent, and my colleague has taken over my printed copy. The wide margin for binding was ' +
      'a kind thought and it works.',
    'Two weeks of trying to fit nineteen music groups into it.',
    'Subject teachers who see many groups.',
  ),
  review(
    'kitchen-ledger',
    4,
    'Free and better than the one our builder uses. The column for who said what, and when, settled a ' +
      'talk about the height of the sockets. I filled it in on the stairs, in dust, from my phone, ' +
      'which was slow. The surprise line was eaten by week three. ' +
      'At least we watched it happen with open eyes.',
    'Logging our kitchen renovation from January to April.',
    'A quick paint and new handles; it is for real building work.',
  ),
  review(
    'kitchen-ledger',
    5,
    'You can see it was made by someone who has lived with a microwave in the bathroom. Decisions ' +
      'are separate from payments, so I could see that we had chosen tiles three times. The printed ' +
      'pages live in a folder on site and the plumber writes in it too. Nothing I would change, perhaps ' +
      'a field for the color codes of paint.',
    'A bathroom, in fact. It worked the same.',
    'Those who hate typing. It only helps if you fill it in every few days.',
  ),

  // Tools
  review(
    'stitch-count',
    5,
    'I knit tighter than every designer alive, so I always resize. Before, that meant a pencil and a ' +
      'wrong sleeve. I put in my gauge for a vest with a repeat of twelve and it gave me 168 instead of ' +
      '172, with a note on where the four went. It worked on the train without a signal. The vest fits.',
    'Resizing a cabled vest to my own gauge.',
    'Beginners who do not yet measure their gauge.',
  ),
  review(
    'stitch-count',
    3,
    'Does stitches well and rows hardly at all. For a yoke I need the height as much as the width and ' +
      'had to work that out by hand again. On a large phone the buttons are fine, on my small one the ' +
      'Next button hides under the keyboard. Useful for scarves, ' +
      'hats and straight things. I hope rows will come.',
    'Changing a hat and then a round yoke to thicker yarn.',
    'People who mostly resize shaped garments.',
  ),
  review(
    'price-it',
    5,
    'It showed me that I earn less than three an hour on my most popular bowl, and I had to go out for ' +
      'air. The packing time is what did it. I had never counted the packing. I entered twenty-two ' +
      'products in an evening, changed six prices and stopped making one thing. ' +
      'Export opened straight in my spreadsheet.',
    'Looking again at the prices in my ceramics shop.',
    'Sellers of digital files, who have almost no cost per piece.',
  ),
  review(
    'price-it',
    4,
    'Clear fields and no account to make, and I believe it when it says that nothing leaves my ' +
      'computer because I pulled the plug and it went on working. Breakage as a percentage is clever. ' +
      'What I miss is a second currency, since I buy clay in one and sell in another. ' +
      'For now I convert on a scrap of paper.',
    'Pricing candles before a winter market.',
    'Anyone buying and selling in different currencies.',
  ),
  review(
    'photo-renamer',
    4,
    'Nine thousand pictures from four cameras, all called the same thing, are now called something. ' +
      'Seeing each new name before anything happens made me brave enough to press the button, and undo ' +
      'did bring them back when I tried it. It took about two minutes for the lot. Videos are ignored ' +
      'without a word, which confused me.',
    'Renaming twelve years of family photos on an old laptop.',
    'People who mainly want to sort videos.',
  ),
  review(
    'photo-renamer',
    2,
    'My system warned me three times before it would let the program start, and the text file that ' +
      'explains this is inside the zip, after the warning. Once open it worked. But it reads the date ' +
      'of the file and not the date in the picture when a photo was edited, so my scanned albums all ' +
      'became last Thursday. Undo saved me.',
    'Trying to put scanned albums in order.',
    'Anybody with edited or scanned pictures.',
  ),
  review(
    'contrast-bench',
    5,
    'Our brand has eleven colors and I had been checking pairs one at a time like a fool. Pasted the ' +
      'lot, got a table, and saw that our pale green passes with nothing at all. The nearest passing ' +
      'color was close enough that no one on the team noticed. ' +
      'The PNG went straight into the slides for the meeting.',
    'Checking a charity’s colors before a new site.',
    'Print designers. It is about screens only.',
  ),
  review(
    'contrast-bench',
    4,
    'Fast, and the table is easy to scan by eye. The three previews of color blindness are handy ' +
      'although the names under them are medical and my client asked what they meant. I could not find ' +
      'a way to save a palette except by keeping the text I pasted. That is fine, I keep it in a note.',
    'Choosing chart colors for a yearly report.',
    'Those who need to check gradients or text on photographs.',
  ),
  review(
    'long-exposure',
    5,
    'Stood on a beach at five in the morning with gloves on and could use it, so the size of the ' +
      'buttons is right. The red screen does not ruin your eyes. It said 4 minutes 16 for my ten-stop ' +
      'filter, I gave it 4:20 and the frame was good. The printed card is in my bag with tape over it.',
    'Two mornings of seascapes with a dark filter.',
    'Film photographers, because there is no correction for film at long times.',
  ),
  review(
    'long-exposure',
    3,
    'Right numbers, thin manual. I only understood the moon warning after a week: it wants the ' +
      'direction in degrees from north and says so nowhere. Once that is set it is a nice thing to ' +
      'have. The countdown stops if the phone locks itself, so I lost one eleven-minute exposure to ' +
      'that. For the price I do not complain loudly.',
    'Night pictures of a bridge over four evenings.',
    'People who leave their phone on automatic lock.',
  ),
  review(
    'sourdough-clock',
    5,
    'The paper wheel hangs beside the oven and the spreadsheet I have not opened since the first day. ' +
      'Turn the outer disc to when you want to eat, read off when to feed. At 19 degrees in my kitchen ' +
      'it was right to within a quarter of an hour. ' +
      'My husband bakes with it and he does not even like bread.',
    'Weekend loaves since October, eleven so far.',
    'Bakers who work by feel and enjoy it.',
  ),
  review(
    'sourdough-clock',
    4,
    'I wanted bread on the table at noon and it asked me to get up at 4:40, which is honest, so I ' +
      'chose dinner instead. Working backwards is the whole trick and it does that well. Very warm ' +
      'kitchens are off the scale: ours is 31 in summer, and the last row is 28. I guessed from there.',
    'Planning two loaves around working hours.',
    'Those in hot climates until the table goes further.',
  ),
  review(
    'right-box',
    4,
    'We ship candles in five box sizes and choose badly. I put in the five and the last thirty ' +
      'orders, and for twelve of them it named a smaller box than the one we had used. The drawing of ' +
      'how to lay things is plain but you understand it. Padding has to be added to each item by hand.',
    'Going through a month of candle orders.',
    'Shops that send one thing at a time.',
  ),
  review(
    'right-box',
    2,
    'A good idea that I could not fit into a working day. Every item needs three measurements before ' +
      'it is any use and I sell old books, where no two are alike. Measuring took longer than trying ' +
      'boxes. The HTML version froze for some seconds with more than nine items. If your stock is ' +
      'regular it may well suit you.',
    'Packing parcels of second-hand books for a week.',
    'Sellers of one-off things with different sizes.',
  ),
  review(
    'cross-grid',
    5,
    'My grandmother’s cottage, 120 by 90 stitches, eighteen colors, and one can see that it is her ' +
      'cottage. I tried other ways and they always gave me forty shades of brown. Setting the number of ' +
      'colors first is what makes the difference. The symbols stayed clear on a bad printer and the ' +
      'overlap marks saved me from my usual mistake.',
    'Charting a photograph of a cottage as a present.',
    'Stitchers who want thread numbers given to them.',
  ),
  review(
    'cross-grid',
    3,
    'Works well for drawings and less so for faces. A portrait of our dog came out with green ears, ' +
      'whatever I did with the colors, and I replaced them by eye. Matching plain RGB values to thread ' +
      'in a shop was a whole Saturday. On the good side, ' +
      'the pages line up exactly and there is nothing to install.',
    'A chart of our dog, and later one of a simple boat.',
    'Anybody who hopes for good portraits without handwork.',
  ),
  review(
    'loan-lane',
    5,
    'I sat down with it afraid and got up with a date. Fourteen months if I pay what I pay now, ' +
      'eleven with the price of one takeaway a month. It shows both ways next to each other, so my wife ' +
      'could keep her opinion and I mine. All the formulas can be clicked and read. Nothing hidden.',
    'Three debts and a car loan, planned over one evening.',
    'People whose interest changes every month.',
  ),
  review(
    'loan-lane',
    4,
    'Easy enough for me, and I do not like numbers. The slider is not a real slider in my program but ' +
      'a cell where I type, which does the same. I would have liked a page to print and tick off. What ' +
      'it says agrees with the letter from the bank to the last coin, I checked that first.',
    'Comparing two ways to pay back a student loan and a card.',
    'Those with a single loan; the bank’s letter says enough.',
  ),
  review(
    'rota-board',
    5,
    'The red cell has stopped me from being a bad boss at least four times. We are nine people in a ' +
      'bakery, not a café, and it fits. Hours are counted properly across midnight, and that is where ' +
      'my own sheet always failed. The page for the wall is large enough to read from the oven. Filled ' +
      'in April in forty minutes.',
    'Planning the April and May shifts in a bakery.',
    'Places with more than fourteen staff.',
  ),
  review(
    'rota-board',
    3,
    'As long as everybody works whole shifts it is lovely. Two of ours come for the lunch rush only, ' +
      'from 11:30 to 14:00, and there is no short shift unless you sacrifice one of the others. I found ' +
      'a way with initials in the notes. The guide is five friendly pages. ' +
      'I may still go back to the whiteboard.',
    'One month of shifts for a sandwich bar.',
    'Kitchens with many part shifts.',
  ),

  // Designs
  review(
    'pressed-meadow',
    5,
    'The edges are what you pay for. Usually cut-out flowers have a white halo and these simply sit ' +
      'on the page, even on dark green. I used the yarrow and the quaking grass on seed packets that we ' +
      'sell for our allotment. Print at 600 dpi showed the grain of the paper. ' +
      'A list of names is a lovely thing to include.',
    'Labels for packets of seed, printed locally.',
    'People who need flat vector flowers that can change color.',
  ),
  review(
    'pressed-meadow',
    4,
    'Honest paintings of honest weeds, and I mean that kindly. The ready arrangements were a bit full ' +
      'for my cards so I built my own from single stems, and with sixty there is plenty. File names are ' +
      'in Latin only, so finding the poppy took a while. ' +
      'The colors came out slightly cooler on my printer than on screen.',
    'Condolence cards for our parish office.',
    'Those who want big showy roses.',
  ),
  review(
    'harbour-brushes',
    4,
    'Knife scrape 3 and dry brush 7 are now in nearly everything I paint. They load as tips and keep ' +
      'their tooth even when big, since the files are big. The crackle ones repeat visibly if you drag, ' +
      'so I stamp them. The sheet with three sizes helped me choose. ' +
      'I could do with more washes and fewer crackles.',
    'Skies and old boats in digital paintings.',
    'Painters on a small tablet, where 4,000 pixels a tip slows things down.',
  ),
  review(
    'harbour-brushes',
    3,
    'They are scans of real paint and look it. However, they are stamps and not finished brushes: ' +
      'pressure, spacing and angle are for you to set, in each program, for all twenty-four. I spent an ' +
      'evening on that and have seven that I like. If you know how to build brushes you will be glad ' +
      'of them, and I was learning.',
    'Learning to paint textures over flat illustrations.',
    'Beginners who expect to install and paint.',
  ),
  review(
    'monsoon-patterns',
    5,
    'Drain covers! I laughed, then printed one on cotton for cushion covers and three people asked ' +
      'where I bought the cloth. The repeats close exactly, I looked for seams at 300 percent. Changing ' +
      'the color in one place really is one place. Number 17 and number 31 are ' +
      'so good together that I have not got further.',
    'Cloth for six cushions, printed by a small firm.',
    'Anybody looking for flowers or animals.',
  ),
  review(
    'monsoon-patterns',
    4,
    'Forty patterns of which I would use about half, and half is still a lot. The wet tile group has ' +
      'depth without any shading. I did find that the PNG tiles in the second color set are a little ' +
      'lower in contrast than the preview pictures suggest. ' +
      'In SVG they are all crisp and light, none bigger than 80 kB.',
    'Backgrounds in a small printed zine.',
    'Large wall coverings; the repeat shows from far away.',
  ),
  review(
    'kitchen-linocuts',
    5,
    'Dill and bay hang over our stove and the steam has not hurt them, so the home printing is good ' +
      'as well. One can see where the knife slipped, and I like that more than perfect. My daughter ' +
      'uses the version without names to test visitors. Sizes fit frames from the ordinary shop. I did ' +
      'not have to crop anything.',
    'Two framed prints in the kitchen and one as a gift.',
    'People who want color; each is one ink.',
  ),
  review(
    'kitchen-linocuts',
    4,
    'Nine herbs in a strong green black. The biggest size looked a touch soft at the edges when I ' +
      'stood close, at arm’s length it is perfect. Parsley and coriander are hard to keep apart, which ' +
      'I suppose is true to life. Paper matters a lot here: on cheap paper flat, ' +
      'on a rough one it looked printed by hand.',
    'A row of four small prints for a rented flat.',
    'Anyone with a very large wall to fill.',
  ),
  review(
    'folk-border',
    5,
    'Cut them from vinyl for a flower box and the knife did not stutter once, so the claim about few ' +
      'points is true. Corners meet edges without fiddling. I am fond of the second rooster, who looks ' +
      'offended. The page with how pieces join should be the first thing in the folder, ' +
      'because I found it last of all.',
    'Vinyl decoration on wooden flower boxes.',
    'Modern, quiet layouts.',
  ),
  review(
    'folk-border',
    3,
    'Beautifully painted and it took me a while to get a frame of the size I needed. Edges come in ' +
      'three lengths and my certificate fell between two, so I had to stretch one and the petals got ' +
      'fat. With a shorter filler piece this would be solved. Colors are cheerful, ' +
      'and changing them in the vector file is quick.',
    'A frame around certificates for a dance school.',
    'Those who need frames of exact sizes without adjusting.',
  ),
  review(
    'terrazzo-surfaces',
    4,
    'I used surface 12 on a rendered kitchen counter of four metres and could not find the repeat, ' +
      'and I was looking. The bump maps are subtle, which is correct, because terrazzo is polished. JPG ' +
      'at this size is heavy, some are 14 MB. ' +
      'I would have paid more for a roughness map as well and had to make it.',
    'Floors and a counter in an interior rendering.',
    'Game artists who need small files.',
  ),
  review(
    'terrazzo-surfaces',
    5,
    'For packaging and not for 3D, in my case. The chips have proper depth of color, no two alike, ' +
      'and the card with ink values meant that the printed soap wrapper came back the way it looked at ' +
      'home. The pink one with the black chips is my favorite. ' +
      'Everything is named with a number and a color, so easy to find.',
    'Wrapping paper for a small soap brand.',
    'Designers who need vectors.',
  ),
  review(
    'hedge-icons',
    5,
    'Someone finally drew a dunnock that is not a sparrow. We use them on a trail map for a nature ' +
      'reserve and the wardens, who argue about everything, had one objection in eighty. At 32 pixels ' +
      'they hold, at 16 the finches merge. Names in five languages ' +
      'in a plain file saved our translator a day.',
    'A trail map and signs for a small reserve.',
    'Anyone outside Europe, since the birds are European.',
  ),
  review(
    'hedge-icons',
    4,
    'Neat family with one pen. The posture is really how you know a bird at a distance, and she has ' +
      'noticed. I missed a gull, odd for us at the coast, and the three weights are closer to each ' +
      'other than I expected. The line joins are rounded in all but two files, ' +
      'which I fixed by myself in a minute.',
    'Stickers for a school bird count.',
    'People by the sea who need water birds.',
  ),
  review(
    'fjord-type',
    4,
    'Used for the name of an exhibition, four words, two metres wide on a wall. It carries. The cut ' +
      'corners give it a stamped look without being rustic. Kerning is careful except for a loose pair ' +
      'with capital T and a comma. I tried a paragraph in it and it is not for that, as the seller says.',
    'Exhibition lettering and the cover of its booklet.',
    'Text longer than a heading.',
  ),
  review(
    'fjord-type',
    3,
    'A handsome face with a narrow purpose. Of the three widths the narrow one is the best and the ' +
      'wide one feels stretched in S and G. My client needed Vietnamese and that is not covered, though ' +
      'the list in the sample did say so and I should have looked. Installing was easy, and the ' +
      'arrows are a nice surprise.',
    'Testing a wordmark for a rowing club.',
    'Projects beyond European Latin.',
  ),
  review(
    'deckle-invitations',
    5,
    'We printed sixty on cotton paper with an eight-year-old inkjet and several aunts asked for the ' +
      'name of the printer. The little bird appears only once on each card and that restraint is the ' +
      'point. The fillable PDF kept our accents. Cutting took longer than printing. I would order one ' +
      'more pack of paper than you think.',
    'Invitations and menus for sixty guests.',
    'Couples who want gold, photos or a lot of color.',
  ),
  review(
    'deckle-invitations',
    3,
    'Lovely on screen and fussy in use. The fillable fields allow only two lines for the address and ' +
      'ours has four. The .odg file solved it but I had to learn a program for that, the week before ' +
      'posting. The envelope liner does not match the common envelope size here ' +
      'and needs trimming. The menu card is perfect.',
    'Menu cards and, in the end, half of the invitation.',
    'People with long addresses and little time.',
  ),
  review(
    'paper-moon-prints',
    5,
    'The light comes from the left in all six, so on a wall next to a window they look alive in the ' +
      'morning. Our son says good night to the fox. I printed A4 on matt paper at a copy shop. One ' +
      'street out of six pictures only works if you hang them tight, and I used tape to get it straight.',
    'Pictures for a four-year-old’s bedroom.',
    'Bright, busy playrooms.',
  ),
  review(
    'paper-moon-prints',
    2,
    'Our shop printed these very dark. I know that they are night scenes, but at A3 the boat on the ' +
      'bath was hardly visible and the second try, brightened, lost the paper texture that makes them ' +
      'nice. A note about how light to print would help. The small square versions on my own printer ' +
      'are charming, so not all is lost.',
    'A gift for a new niece, printed at A3.',
    'Anyone who cannot make a test print first.',
  ),
  review(
    'lattice-panels',
    5,
    'Closed paths, no doubles, and it says so in the listing and it is true, which is nearly a first. ' +
      'Cut the fourth pattern out of 3 mm birch as a lamp side. Bridges held. The test strip showed ' +
      'that my machine burns about a tenth of a millimetre, so I adjusted before wasting wood. Very ' +
      'satisfied with these files.',
    'Four sides of a table lamp in birch plywood.',
    'Those with a knife cutter; the gaps are too fine.',
  ),
  review(
    'lattice-panels',
    4,
    'Patterns are balanced and not the usual ones. My version of the control software wanted the DXF ' +
      'in millimetres and it came in without units, so the first panel was the size of a stamp. Easy to ' +
      'fix once you know. The lattice with eight-pointed shapes throws a wonderful shadow ' +
      'on a white wall around five o’clock.',
    'A window screen for a stairwell.',
    'People new to laser cutting, who may stumble over the units.',
  ),
  review(
    'open-hours-signs',
    4,
    'Back in ten minutes, no cash, mind the step: that is my whole week on three sheets. Letters are ' +
      'large, so the old gentlemen can read them from the pavement. The German is right, which I can ' +
      'judge. What I missed was a sign for wheelchairs to ring the bell, ' +
      'so I made one by changing another.',
    'Signs for the window of a bicycle shop.',
    'Elegant boutiques, it is rather plain.',
  ),
  review(
    'open-hours-signs',
    5,
    'Do not feed the cat was the reason I bought it and the reason it works: people read that one, ' +
      'smile, and then read the others. The text fields took our long opening hours on two lines. I cut ' +
      'the big OPEN from vinyl out of the SVG and it weeded cleanly. Cheap, quick, done before lunch.',
    'All the notices in our yarn shop.',
    'Shops that need languages other than the three.',
  ),

  // Guides
  review(
    'slow-dye-pot',
    5,
    'I have four dye books and this is the one with stains on it. Amounts per hundred grams, times ' +
      'you can plan around, and a frank paragraph about which colors will fade by spring. My madder ' +
      'came out more brick than red because of our hard water, and there is a page for exactly that. ' +
      'The photographs are swatches and not landscapes.',
    'Madder and weld on 600 g of wool.',
    'People without a pot that they can spare for ever.',
  ),
  review(
    'slow-dye-pot',
    4,
    'Patient and clear. I am a beginner and started with onion skins as she says, on cotton, and got ' +
      'a good yellow on the second attempt. Cotton gets fewer pages than wool, perhaps a third, and the ' +
      'step before dyeing is explained twice in slightly different words. The table at the end is what ' +
      'I use most, printed and pinned.',
    'Dyeing cotton napkins with kitchen leftovers.',
    'Anyone who wants bright, exact or fast colors.',
  ),
  review(
    'balcony-harvest',
    5,
    'The chapter on crops that are not worth it is the most useful thing I have read about balconies. ' +
      'I had been growing one courgette a year with great love. This time: beans up the rail, ' +
      'cut-and-come salad, chillies against the hot wall. We ate something from it on forty days. The ' +
      'watering bottle trick survived our week away.',
    'One summer on a south-west balcony, seven pots.',
    'Gardeners with real beds.',
  ),
  review(
    'balcony-harvest',
    3,
    'Good ideas, written for sun. Mine faces north between two buildings, and out of sixty-two pages ' +
      'about three were for me: mint, sorrel, some lettuce, patience. I respect that she says so ' +
      'instead of pretending. The calendar for cold places was right for our climate. I would have liked ' +
      'pictures of her failures too, as she mentions several.',
    'Planning a shady balcony in spring.',
    'Those with less than four hours of sun.',
  ),
  review(
    'north-window',
    5,
    'Pair nineteen is a white bowl on white card and it looks like a bowl, which I had never managed. ' +
      'A drawing of where everything stood is better than any explanation. I built it with a table, a ' +
      'curtain and a cereal box, spent a Sunday morning, and replaced forty photographs in my shop. ' +
      'My phone is five years old.',
    'New pictures of stoneware for my shop.',
    'Photographers who own lamps and know how to use them.',
  ),
  review(
    'north-window',
    4,
    'Short and generous. I make glass and not ceramics, so half of the advice about reflections had ' +
      'to be turned round, yet the half about card and distance applied at once. The checklist is ' +
      'pinned next to my window. It could say more about dark winter days, when my window gives perhaps ' +
      'two hours, and I ended up waiting.',
    'Photographing small glass vases.',
    'People who must shoot in the evening.',
  ),
  review(
    'second-chain',
    5,
    'It says when to stop. Repair eleven ends with: now put it down and take it to a workshop, and it ' +
      'was right, my thread was gone. I did the brakes, the chain and a wobbly wheel by myself with ' +
      'tools for thirty. Times for beginners are realistic, even a bit generous. Drawings show the ' +
      'hand, so you know which way to push.',
    'Getting two old city bicycles through the winter.',
    'Riders of modern racing or electric bicycles.',
  ),
  review(
    'second-chain',
    4,
    'Well ordered from easy to hard, and I trust the writer. My bike has a hub gear and that gets one ' +
      'page of the ninety-six, with the advice to leave it alone, which is likely wise and still made ' +
      'me sad. Reading on the phone with oily fingers, ' +
      'I was glad that every repair begins on a new page.',
    'Replacing brake blocks and truing a front wheel.',
    'People with hub gears or hydraulic brakes.',
  ),
  review(
    'mesa-chica',
    5,
    'Number six with peanuts is now always in our fridge. Weights in grams made me happy, and so did ' +
      'the notes on what to use when you cannot find a certain chilli, because here you cannot. The ' +
      'heat scale is accurate for my family except for my father, who is off it. ' +
      'Pages are easy to read from across the counter.',
    'Cooking through eleven of the twenty so far.',
    'People who do not own a blender or a mortar.',
  ),
  review(
    'mesa-chica',
    3,
    'I made four of them. Two were wonderful, one was fine and the green one separated twice although ' +
      'I followed each step. There is little about what can go wrong. Photographs would help too: there ' +
      'are only color fields for heat and a few drawings. ' +
      'Still, that roasted tomato one has replaced the jar I used to buy.',
    'Salsas for a taco evening with eight friends.',
    'Cooks who like a picture of each dish.',
  ),
  review(
    'warp-letters',
    4,
    'Built the frame from an old shelf in under an hour. Seeing the thread from my own side and not ' +
      'from the front is such a good choice that I wonder why others do not do it. The third weaving ' +
      'has a jump in difficulty and I undid it twice. After that it went well. Mine hangs over the stairs, ' +
      'slightly narrower at the top.',
    'Making the first four weavings with leftover yarn.',
    'Weavers with a floor loom.',
  ),
  review(
    'warp-letters',
    5,
    'My hands shake a little since last year and I looked for something slow. This is slow in the ' +
      'right way. Six pieces, each with one new thing, and she says where you will go wrong before ' +
      'you do. The yarn list by thickness let me shop in any store. ' +
      'Printed it in A4 and the drawings were large enough.',
    'Learning to weave over two months of evenings.',
    'Anyone in a hurry to make cloth for clothes.',
  ),
  review(
    'market-stall',
    5,
    'Took the packing list as it was and for once did not drive back for the tape. The part about ' +
      'change in the tin, with the exact number of coins, sounds silly until a queue forms. It rained, ' +
      'there is a page for rain. I sold about what I had hoped and knew ' +
      'in the evening which things and why.',
    'My first market day with prints and cards.',
    'Old hands with twenty markets behind them.',
  ),
  review(
    'market-stall',
    4,
    'Cheerful and practical. The three stall layouts are drawn for a table of 180 cm and ours are ' +
      '120, so I had to scale. The sheet for what sold is the piece I will keep using. Nothing about ' +
      'taxes or permits, which is fair as these differ, ' +
      'but a line to remind people would do no harm to a beginner.',
    'Preparing a church bazaar stall with my sister.',
    'Sellers of hot food, who have other rules to follow.',
  ),
  review(
    'quiet-inbox',
    4,
    'Day nine, unsubscribing only from what came today, was the change that stuck. I did twenty-two ' +
      'of thirty days, skipped some, and went from about ninety mails a day to forty. The polite ' +
      'messages to end threads are really polite. Rules in my mail program are named otherwise than in ' +
      'the text, so I needed some searching there.',
    'One month with a very full work mailbox.',
    'Those whose work is answering mail, such as support staff.',
  ),
  review(
    'quiet-inbox',
    2,
    'Thirty small steps are too many small steps for me. I lost the thread around day eight, and ' +
      'since each builds on the one before it there is no easy way back in. Some days are obvious, turn ' +
      'off the sound for example. A two-page version for impatient people would suit me. The writing ' +
      'itself is warm and I do not doubt that it works.',
    'Eight days of trying to follow it at work.',
    'Impatient people, and those who already use rules.',
  ),
  review(
    'slow-trail',
    5,
    'My pack went from 10.4 to 6.8 kilos and I missed nothing but a second pair of trousers, once. He ' +
      'weighs a toothbrush and then says it does not matter, and that is the tone all through. The ' +
      'spreadsheet made me weigh my own things, which was the real lesson. ' +
      'For a free guide this is remarkably complete.',
    'Packing for five days from hut to hut in June.',
    'Campers who carry a tent and stove.',
  ),
  review(
    'slow-trail',
    4,
    'Reasonable where many of these are fanatical. The rain list is the best, and he concedes that his ' +
      'shoes were wrong for years. It is written by a man of medium height, I think, because the ' +
      'weights for clothes are far from mine. A section about women’s needs is missing altogether. The ' +
      'method still works, I just changed the numbers.',
    'Preparing a coastal hike with my mother.',
    'Winter walkers, who need warmer lists.',
  ),
  review(
    'legend-and-scale',
    5,
    'I found my street on a plan from 1811 by following the last chapter, and it was a ditch. The ' +
      'lost units are explained with things from a kitchen, so I remember them. All maps are drawn for ' +
      'the book, which means they show the point and nothing else. I read it in two evenings and have ' +
      'started to bore my friends.',
    'Research for a walking tour in my quarter.',
    'Professional cartographers.',
  ),
  review(
    'legend-and-scale',
    3,
    'The content is excellent and the EPUB is not. On my reader several drawings were too small to ' +
      'see, and tapping did not enlarge them, so I changed to the PDF on a computer, where it is fine. ' +
      'The middle on projections goes faster than the rest and lost me for ten pages. Fewer jokes about ' +
      'Greenland would be all right as well.',
    'Understanding the maps in my late uncle’s collection.',
    'People who read only on small e-readers.',
  ),

  // Courses
  review(
    'five-stitched-books',
    5,
    'After the first lesson I had a book, made with a kitchen knife as promised, and that carried me ' +
      'to the fifth. The camera stays on the hands. When his thread breaks he leaves it in and shows ' +
      'what to do. My round spine is more of a hill, but it opens flat. Captions were correct, ' +
      'including the names of stitches.',
    'Binding notebooks for the whole family over a month.',
    'Those who want leather or gold; it is paper and cloth.',
  ),
  review(
    'five-stitched-books',
    3,
    'Lessons one to three are a joy. In four and five the pace doubles and he uses a press which was ' +
      'never mentioned in the list of tools. I put the book under a pile of dictionaries, and it ' +
      'warped. The sound is low in the last film. I learnt a lot and still have no fifth book.',
    'Making three notebooks and failing at one album.',
    'Beginners without access to a press who want to finish all five.',
  ),
  review(
    'sketch-the-street',
    5,
    'Lesson seven, where it begins to rain and he carries on under an awning, taught me more than any ' +
      'clean studio film. I used to draw every window. Now I draw three and people believe the rest. ' +
      'Twenty minutes is the right length for a lunch break. ' +
      'The plan for a month is kind: four days off are in it.',
    'Drawing during lunch breaks for five weeks.',
    'People who want architectural accuracy.',
  ),
  review(
    'sketch-the-street',
    4,
    'He talks little and draws much. Perspective by eye finally made sense when he held up the pen ' +
      'and closed one eye. Lessons on color are thinner than those on line, only three of twelve, and I ' +
      'had come for the wash. The reference photographs are good for rainy evenings. Videos are large, ' +
      'so I downloaded them overnight.',
    'Getting back into sketching after a long break.',
    'Those who are mainly after watercolour technique.',
  ),
  review(
    'third-cup',
    5,
    'I changed only the grind for a week, as advised, and for the first time understood what sour and ' +
      'bitter are. No machine was needed, I have a filter cone from a flea market. Her voice is calm ' +
      'enough to follow half asleep. The tasting sheet looked pretentious to me and by lesson five I ' +
      'was filling in both sides.',
    'Improving my morning filter coffee over two weeks.',
    'Espresso people; pressure is hardly mentioned.',
  ),
  review(
    'third-cup',
    4,
    'Well thought out, one variable at a time like a good experiment. Two lessons are audio only and ' +
      'I would have liked to see the pour. The water lesson sent me to buy three bottles and the ' +
      'difference was real, to my annoyance. ' +
      'At two and a half hours it is short enough to finish. I did finish it.',
    'Learning to brew for a small office kitchen.',
    'Those who take milk and sugar and are content.',
  ),
  review(
    'running-thread',
    5,
    'There is a left-handed version of every lesson and not just a mirrored picture, she really ' +
      'stitches with the left. That alone made me stay. Two stitches an evening is the right dose. My ' +
      'cottage has a crooked chimney and a very good hedge. The half speed films are what I went back to, ' +
      'particularly for the bullion knot.',
    'Stitching the sampler over three weeks.',
    'Experienced embroiderers, who know these twenty.',
  ),
  review(
    'running-thread',
    4,
    'Clear hands, good light, no music. I am sixty-eight and have never sewn more than a button, and ' +
      'I could follow all but the woven wheel. Which thread to buy is dealt with in one sentence and I ' +
      'came home with the wrong thickness. The pattern in the larger size was easier ' +
      'on my eyes. I am proud of the garden.',
    'A first attempt at embroidery, on a linen napkin.',
    'People who need every material listed with amounts.',
  ),
  review(
    'cells-without-fear',
    5,
    'The hidden mistake in every practice file is such a good idea. I found six of nine alone. At ' +
      'work I had been adding columns with a calculator and typing the result, and no one had ever shown ' +
      'me. Lookups took two viewings. He never says simply or just. My colleagues now come to me, which ' +
      'is new and slightly alarming.',
    'Learning enough for the stock list at work.',
    'People who already write formulas.',
  ),
  review(
    'cells-without-fear',
    3,
    'A patient teacher, although patient can be slow. The first hour could be twenty minutes for ' +
      'anybody who has used a computer. From the lookups onward it becomes very good, and the lesson on ' +
      'dates solved something I had fought with for a year. Menus in the films differ from my program ' +
      'in places. I would skip to lesson four.',
    'Cleaning up a membership list for our club.',
    'Confident users; half of it will be known.',
  ),
  review(
    'canvas-bag',
    4,
    'My machine is from a supermarket and it did sew four layers, with the needle she names and not ' +
      'before. Waxing with the iron smells wonderful and my ironing board will never be the same, so ' +
      'use an old cloth as she says. The zip is quick in the film, I stopped it thirty times. The bag ' +
      'holds groceries and looks bought.',
    'One bag for shopping and a second as a present.',
    'Anyone who has never threaded a machine.',
  ),
  review(
    'canvas-bag',
    5,
    'Film nine, rescuing a crooked seam, should be shown in schools. The pattern printed at true ' +
      'size, I measured the square. It took two weekends and the material cost more than I guessed, ' +
      'about forty. She mentions where you can save and where you should not. Rivets went in with a ' +
      'hammer on the doorstep, to the delight of the neighbors.',
    'Sewing a work bag for a carpenter friend.',
    'Those who want to finish in one evening.',
  ),
  review(
    'straight-books',
    5,
    'I have been putting receipts in a shoebox since 2019. The made-up pottery has a shoebox too, and ' +
      'by lesson three it has a stock list and so have I. She explains fees with a real looking ' +
      'statement, line by line. No country’s taxes, which she repeats, and my accountant was pleased to ' +
      'be asked better questions afterwards.',
    'Putting a year of my soap business in order.',
    'People who look for tax advice for their country.',
  ),
  review(
    'straight-books',
    2,
    'This is for people who sell things that they make. I sell lessons and repairs, so stock, ' +
      'materials and fees, in other words four lessons out of six, had nothing to do with me. The two ' +
      'that did were clear. I should have read more carefully, but the title says people who make ' +
      'things and I thought that I was one.',
    'Trying to sort the books of an instrument repair shop.',
    'Service businesses without stock.',
  ),
  review(
    'price-your-work',
    4,
    'Evening three has you say the number aloud to a chair. I felt like an idiot and then did it with ' +
      'a client on the Friday, without a maybe or a sorry at the end. The sums in the first evening are ' +
      'much like other calculators. It is the talking that I paid for. ' +
      'Worksheets took me closer to two hours than one.',
    'Raising my day rate as a photographer.',
    'Shops with fixed prices and no talks with customers.',
  ),
  review(
    'price-your-work',
    3,
    'Warm and well filmed, and rather general. The examples are a potter, a designer and a baker, and ' +
      'I hoped for something closer to writing. What it is worth to others stays vague: ask them, ' +
      'basically. Good worksheets, and the spreadsheet agrees with what I had. I would call it a fine ' +
      'start for someone in their first two years.',
    'Thinking about prices for editing books.',
    'People with long experience of quoting.',
  ),

  // Audio
  review(
    'late-bus-loops',
    5,
    'They are late in the right way. I dropped the 74 one under an electric piano and did not touch ' +
      'the timing, and normally I spend an hour making loops worse. Having the dust as its own file is ' +
      'smart, mine is at a third. File names carry tempo and key, so sorting was instant. One loop ' +
      'clicks at the end, number 13.',
    'Two tracks on a small tape release.',
    'Makers of fast or very clean music.',
  ),
  review(
    'late-bus-loops',
    4,
    'Warm kicks and tired hats, which is what it says. All twenty have a similar mood, so do not ' +
      'expect range; I used five and that was enough for an EP. Twenty-four bit files with headroom ' +
      'left, not squashed. Splitting into parts let me mute the snare in a verse. Some fills would ' +
      'help, because I had to cut my own.',
    'Beats beneath spoken poetry.',
    'Producers who want variety in one pack.',
  ),
  review(
    'tape-loft-piano',
    5,
    'The chair creaks. I thought that would annoy me and it is what makes people listen. Sketch 9 ' +
      'is under the last scene of my short film, forty seconds of it, with nothing else. The MIDI let ' +
      'me move one note that fought with a line of dialogue. ' +
      'Noise of the tape is gentle and equal across all pieces.',
    'Music for a nine-minute student film.',
    'Anyone who needs a clean, bright concert piano.',
  ),
  review(
    'tape-loft-piano',
    3,
    'Beautiful sound and short. Most sketches stop just as I begin to settle, at twenty or thirty ' +
      'seconds, and they were not made to loop, so I notice the join. For film that may be right. For a ' +
      'background in my yoga studio it was not. The longer ones, seven of them, ' +
      'are lovely and I play these in turn.',
    'Quiet music at the end of yoga classes.',
    'Those who need long or looping pieces.',
  ),
  review(
    'north-shore-field',
    5,
    'Ice on a lake, the third recording, made my whole cinema row look up. No hum, no airplanes, and ' +
      'handling noise just once in what I have played so far. Notes on the microphones helped me match ' +
      'them with my own takes. Nine gigabytes in four parts came down without trouble. Wind in wire is ' +
      'frightening at low volume.',
    'Sound design for a radio play set in winter.',
    'Scenes in a warm place or in a city.',
  ),
  review(
    'north-shore-field',
    4,
    'Serious recordings with space to breathe. At 96 kHz you can slow them to half and they turn into ' +
      'something else entirely, and I have done mostly that. Several of the surf files resemble each ' +
      'other. The text file with places is written like a diary and I read it to the end. A short ' +
      'preview of each would ease choosing.',
    'Slowed textures in a gallery installation.',
    'Podcasters who need a quick clip; these are long.',
  ),
  review(
    'rain-attic',
    5,
    'No thunder. I have lost count of the rain tracks that throw in a thunderclap at the moment I drop ' +
      'off. The tent is my favorite and my husband sleeps to the gutter, so we take turns. I listened ' +
      'for a loop during a bad night and did not find one. MP3 was enough through our small speaker.',
    'Falling asleep, five nights a week since spring.',
    'People who need music or a voice.',
  ),
  review(
    'rain-attic',
    2,
    'The tin roof is far louder than the others and woke the baby when the list went on from leaves ' +
      'to tin at one in the morning. Volume should be level across a set like this, I think. Each by ' +
      'itself is well recorded, and the attic window is pleasant with a book. ' +
      'I now repeat just one file.',
    'Background noise for a baby’s afternoon naps.',
    'Anyone who plays all eight in a row at night.',
  ),
  review(
    'workshop-sounds',
    5,
    'Forty-one ways of planing wood, near and far, soft and hard. I needed a cabinet maker at work ' +
      'behind a scene and built him in twenty minutes. Names say tool, material and distance, therefore ' +
      'the search in my library just works. The sweeping of the floor at the end of a day is oddly ' +
      'moving. Clean cuts with no fades needed.',
    'Foley for a documentary about a joiner.',
    'Modern factories; there is no machinery.',
  ),
  review(
    'workshop-sounds',
    4,
    'Good hand tools and honest acoustics. For a game I need many variations of one hit, and hammers have ' +
      'up to eight, files have three, so the less common tools start to repeat. The CSV was a gift, I ' +
      'made a little browser from it. Levels differ by design, close and far, ' +
      'which is right and takes some care.',
    'Crafting sounds in a small farming game.',
    'Game makers who need dozens of versions of one sound.',
  ),
  review(
    'nylon-loops',
    4,
    'A travel guitar sounds small and this one does, in a good way. I stacked two in the same key and ' +
      'got something like a courtyard. Chords in the file name are handy, and correct save one, where ' +
      'an A minor is really an A minor seven. Dry enough for my own reverb. ' +
      'A few loops breathe a bit late at the turn.',
    'Intro music for a cooking series.',
    'Anyone after strummed, wide guitars.',
  ),
  review(
    'nylon-loops',
    3,
    'Well played and a little polite. Fifty loops in six keys means about eight per key, and of those ' +
      'half are in the same gentle picking pattern, so my song ran out of parts quickly. The chord ' +
      'charts are clear and I learnt two of them on my own guitar, which was maybe the best use. ' +
      'Recording quality is very decent.',
    'Trying to build a verse and chorus for a song.',
    'Songwriters who need contrast within one key.',
  ),
  review(
    'clay-percussion',
    5,
    'The unfired jar that broke is in there, breaking, and I have used it on three tracks. Bricks ' +
      'make a better rim shot than most rim shots. With three repeats and four levels per sound my ' +
      'rolls no longer stutter. The SFZ mapping loaded on the first go in a free player. ' +
      'It is a narrow palette, and a fresh one.',
    'Percussion for a dance piece.',
    'People who look for standard drums.',
  ),
  review(
    'clay-percussion',
    4,
    'Earthy, short, dry. I like that there is no added reverb. The low bowls sit under a bass without ' +
      'any filter. My sampler does not read SFZ, so I dragged hits by hand for an hour, and a second ' +
      'mapping would widen the audience. Named sensibly by object and force. ' +
      'Some of the tiles are hard to keep apart.',
    'Layers on top of electronic kicks.',
    'Owners of samplers that cannot open SFZ, unless they have an hour.',
  ),
  review(
    'archive-beds',
    5,
    'The endings end. Every other bed I have bought has to be faded out under my last sentence, and ' +
      'these come to rest. Number 4 in its three-minute form carries our whole opening. There is truly ' +
      'nothing in the range of my voice, I can leave the level alone. Stems meant I could drop the ' +
      'drums when a guest was crying.',
    'The opening and the breaks of a local history podcast.',
    'Lively shows about sport or comedy.',
  ),
  review(
    'archive-beds',
    3,
    'Calm to the point of sleepy. For lectures it is fitting and I use two there. For our program, ' +
      'which is interviews with market traders, it made everybody sound as though they had died. ' +
      'Sixteen pieces share the same soft pads, I would have preferred ten with more difference. ' +
      'Technically without fault, tidy files, fair licence in plain words.',
    'Music under recorded lectures at an evening school.',
    'Shows that need some energy.',
  ),
  review(
    'small-bells',
    5,
    'No one speaks, thank you. I sit twenty minutes with the third bell and it lets me go gently ' +
      'rather than ringing me out. As an alarm on my phone it has replaced something that made me hate ' +
      'mornings. Background tone is the better choice over pure silence, because with silence I kept ' +
      'wondering whether it still ran.',
    'Daily sitting, and as a morning alarm.',
    'Beginners who want to be guided.',
  ),
  review(
    'small-bells',
    4,
    'Simple and well recorded, the ring of each bell lasts as long as it should. I use the forty-five ' +
      'minute one with our group on Thursdays, through a bigger speaker, and it fills the gym without ' +
      'edge. An interval bell in the middle would be practical for walking. ' +
      'As it costs nothing I feel silly for asking.',
    'Timing a weekly group of nine people.',
    'Groups that change posture at intervals.',
  ),
  review(
    'two-voices',
    4,
    'Two people in a boat shed, and the planks sing along. The slow clusters in D are so rich that ' +
      'I took all other instruments away. The single shout across the water is now the beginning of my ' +
      'set. Breaths between notes are left in, and it is up to you to cut them. ' +
      'A few long files have a faint boat rope creaking.',
    'Ambient performance with loops.',
    'Pop producers looking for hooks or words.',
  ),
  review(
    'two-voices',
    5,
    'I teach composition and handed six of these to my students with one rule, no effects. The ' +
      'results were the best of the term. The PDF with key, length and vowel is a model of how to ' +
      'document samples. Tuning is human and consistent. The dry versions are really dry. We argued ' +
      'only about whether to leave the breaths.',
    'Teaching material in a composition class.',
    'Those who need perfect tuning.',
  ),

  // Video
  review(
    'ink-bloom',
    5,
    'Placed one between two interviews and the client asked who shot it. Both polarities are ' +
      'included, so no inverting and no gray mush. The ten minutes of instruction are to the point and ' +
      'got me there in an editor that I barely know. At 60 frames I slowed several to a third and they ' +
      'stayed smooth. Clip 22 has a tiny bubble, pretty.',
    'Transitions in a film about a paper mill.',
    'Fast cuts; ink needs a second or two.',
  ),
  review(
    'ink-bloom',
    4,
    'Real ink, and you see it in the edges. I use the black on white ones as mattes for a title that ' +
      'bleeds in. About ten of the forty are alike, opening from the center, and I would have liked ' +
      'more from the corners. Image sequences are huge but they scrub well. ' +
      'My old laptop needed smaller copies.',
    'Opening titles for a poetry reading.',
    'Owners of slow computers.',
  ),
  review(
    'paper-titles',
    5,
    'They wobble like paper because they are paper, and no filter looks like that. I put chapter ' +
      'names of a school film on nine of them. Having the opening and the closing half apart meant that ' +
      'I could hold a title as long as a nine-year-old needs to read. The transparent files were heavy ' +
      'but played. Shadows fall correctly on our footage.',
    'Chapter titles for a film by a school class.',
    'Corporate or technical films.',
  ),
  review(
    'paper-titles',
    3,
    'Charming designs, limited space. The blank area takes about eighteen letters, and our titles in ' +
      'German are longer, so I had to set them small and they looked lost. Three of twelve are wide ' +
      'enough. The instruction for my program described an older version, I worked it out. With a few ' +
      'wider cards this would be a full mark.',
    'Titles for a short film in German.',
    'Long titles, and languages with long words.',
  ),
  review(
    'dust-and-light',
    4,
    'Quiet is the right word, I use them at twenty percent and no one knows, they just say that it ' +
      'feels warmer. The loops close without a jump. Three clips have a slow drift to the left which ' +
      'makes me slightly seasick when layered with a pan. Dust 11 is perfect for an attic. I would have ' +
      'liked a version at 24 frames.',
    'Warming up flat footage of an old farm.',
    'Those who want bold, colorful light leaks.',
  ),
  review(
    'dust-and-light',
    2,
    'On my bright footage they are all but invisible, and when I push them to eighty percent the dark ' +
      'parts turn gray and noisy. The listing does say quiet, and the previews must have been made over ' +
      'dark scenes. For night pictures two of them did work. I had hoped for something for a summer ' +
      'wedding, and this is not that.',
    'I tried it on an outdoor wedding film.',
    'Anybody with bright, sunny material.',
  ),
  review(
    'countdown-pack',
    5,
    'On the beat means on the frame, I measured. We start a quiz every Thursday on a screen in a pub, ' +
      'and the crowd now counts along. The ticking version is loud enough for the back tables. Tall ones ' +
      'went on the phones. It took five minutes from download to use, and the transparent file lay over ' +
      'our logo without a fringe.',
    'Rounds in a weekly pub quiz.',
    'People who need to count from sixty.',
  ),
  review(
    'countdown-pack',
    4,
    'Fifteen styles, of which three are for children, four are sober, and the rest are somewhere in ' +
      'between. All run exactly ten seconds. I wanted to change the typeface and that is not possible ' +
      'since they are finished films. For the price I will not argue. The wide version at 4K looks ' +
      'sharp on the big projector.',
    'The start of a livestreamed council meeting.',
    'Designers who must match a corporate font.',
  ),
  review(
    'plain-captions',
    5,
    'Appear, wait, leave. I have deleted so many bouncing name tags in my life. The source line at ' +
      'the bottom is something I had been drawing by hand in each film. White on a bright sky stays ' +
      'readable thanks to a shadow you do not notice. Edited the frame in SVG to fit our longer Welsh ' +
      'names. Quick and dignified.',
    'Names and sources in a film about a closed quarry.',
    'Advertising and entertainment.',
  ),
  review(
    'plain-captions',
    3,
    'Tasteful, and a bit too narrow in what can be changed. The time on screen is fixed at five ' +
      'seconds and to hold it longer I froze a frame, which is fine until the background of the box ' +
      'shimmers. Names of two lines do not fit. On a phone they are legible as promised. ' +
      'Good base, expect some handwork.',
    'Naming speakers in recorded talks.',
    'Editors who need flexible timing.',
  ),
  review(
    'window-loops',
    5,
    'The night train runs on the screen in our waiting area and patients have stopped looking at the ' +
      'clock. Three minutes, and I never see where it begins again. Drawn by hand at twelve frames it ' +
      'has a small tremble that keeps it from being wallpaper. The laundry scene is funnier than it has ' +
      'any right to be. No sound was needed.',
    'A screen in a dental waiting area.',
    'Those who want realistic footage.',
  ),
  review(
    'window-loops',
    4,
    'I put the harbour behind me while streaming and people ask about the gull, who comes once per ' +
      'loop. Colors are soft, so my own face stays the brightest thing. At 4K the file made my computer ' +
      'warm and 1080 looks the same at that size. Ten scenes, of which two are snow. ' +
      'One more summer would be welcome.',
    'Background during evening streams.',
    'Slow computers, if they choose the big files.',
  ),
  review(
    'chart-motion',
    4,
    'The axis starts at zero and cannot be argued with, and that has already led to a talk with my ' +
      'boss which I won. Making bars from our own figures in the browser page took minutes. Export as ' +
      'image sequence is slow, about four minutes for ten seconds. Lines with more than six series are ' +
      'refused, with a friendly explanation.',
    'Animated figures in a yearly report film.',
    'Sellers who like a steep axis.',
  ),
  review(
    'chart-motion',
    5,
    'Twelve pages about what not to animate are worth having by themselves. I make explainers for a ' +
      'hospital and must not mislead anyone. Dots that gather into a bar helped people see that percent ' +
      'means persons. The transparent clips fell into place in my editor. I changed the colors to ours ' +
      'through one small panel. One honest pie made me smile.',
    'Explaining waiting times to patients.',
    'People who need maps or 3D.',
  ),
  review(
    'paper-forest',
    5,
    'I read bedtime stories online for a library and this plays behind me. The owl blinks once and ' +
      'the children wait for it, every time, in silence. I did not know that was possible. Shadows move ' +
      'as the moon goes, so it feels like a place. I use the version without the owl for the sad ' +
      'stories. Sharp on a large television.',
    'Background of a weekly story reading.',
    'Action or daylight scenes.',
  ),
  review(
    'paper-forest',
    4,
    'Lovingly made, and short. With eight scenes of half a minute I had to slow and repeat them for a ' +
      'song of three minutes, and at twelve frames slowing soon looks choppy. The craft is first rate: ' +
      'you see fibres in the paper. Two scenes have the camera move, which gave me cuts. Longer takes ' +
      'would have earned the last star.',
    'A video for a lullaby.',
    'Long pieces without cuts.',
  ),

  // Other
  review(
    'lighthouse-game',
    5,
    'Five of us, one hundred and five minutes, two hints, and a moment with the mirror when my ' +
      'brother-in-law shouted. Cutting and filling the envelopes took me an hour the day before with a ' +
      'glass of wine. The story hangs together to the last page. Do print the fourth sheet in color, ' +
      'the gray version makes that puzzle noticeably harder.',
    'An evening with the family after New Year.',
    'Groups of two, or anyone who dislikes scissors.',
  ),
  review(
    'lighthouse-game',
    3,
    'The first half is excellent. Then there is one puzzle with tide tables where all six of us ' +
      'looked at each other for twenty minutes, and even the third hint only repeated the second in ' +
      'other words. We skipped it, and the rest fell into place. My twelve-year-olds enjoyed the codes ' +
      'most. Good value, with one weak link.',
    'A birthday with four children of twelve and two adults.',
    'Children without an adult to help.',
  ),
  review(
    'salt-road',
    5,
    'Five people who each remember it differently is precisely what happened, and my players believed the ' +
      'wrong one. I prepared for forty minutes and ran four hours. The maps without names are a ' +
      'blessing since I could put them on the table. It used no rules words, so I filled in numbers ' +
      'from our own system. The ending depends on them.',
    'One evening with four players who knew each other.',
    'Groups that mainly want fights.',
  ),
  review(
    'salt-road',
    4,
    'Good bones, and space to improvise. The well keeper is the best written figure I have read in a ' +
      'cheap adventure. As it is for any rules, all difficulty is in words like hard or risky, and a ' +
      'beginner will not know what that means at the table. The six characters were ready in a minute. ' +
      'Layout prints well in gray.',
    'A session in our library’s youth club.',
    'Game masters in their very first week.',
  ),
  review(
    'star-path-quilt',
    5,
    'One block turned four ways, and my neighbors think that I am a genius. The cutting chart counts ' +
      'the scraps, so I made a cushion out of what was left. I sewed the cradle size in nine evenings. ' +
      'Points meet if you press as she says and do not if you do not. ' +
      'Templates printed true, I measured with a ruler.',
    'A cradle quilt for a first grandchild.',
    'Quilters looking for curves or appliqué.',
  ),
  review(
    'star-path-quilt',
    4,
    'Reads like someone beside you at the table. I took the largest size, which was ambitious, and ' +
      'the fabric amounts were exact to perhaps a hand’s width, so buy a bit more if you cut like me. ' +
      'The coloring page prevented a terrible choice of orange. Binding is covered in half a page only; ' +
      'I looked that up elsewhere.',
    'A bed quilt, still waiting for its binding.',
    'Total beginners who need binding explained.',
  ),
  review(
    'corner-fox',
    5,
    'He sits. I have made many animals that should sit and lie down instead, and the tail truly props ' +
      'him up. Faces usually defeat me, and the four photographs of where the eyes go made the ' +
      'difference. Hardly any sewing up, as advertised, only the ears. About six hours with thick ' +
      'cotton, and he is slightly bigger than it says.',
    'A present for a godchild.',
    'Those who cannot yet work in the round.',
  ),
  review(
    'corner-fox',
    3,
    'Sweet fox, with a mistake in round 31 of the charted version: it shows two decreases fewer than ' +
      'the text. I followed the text and it came out right. Took me some time to notice, and I undid a ' +
      'whole evening. The French seems fine, my mother used it. ' +
      'Fix that round and I would happily give it more.',
    'Making one fox from the chart and one from the text.',
    'People who work from charts only, until that is corrected.',
  ),
  review(
    'ferry-sweater',
    5,
    'Nine sizes, and the waves fit all of them, I checked the maths since I always do. Mine is for a ' +
      'chest of 118 with five extra centimetres in the body, and her note about where to add them was ' +
      'exact. Knitted in leftover wool of three shades, it looks like weather. ' +
      'The neck lies flat. I have begun another.',
    'A winter sweater for myself in four weeks.',
    'Knitters who want the pieces flat and seamed.',
  ),
  review(
    'ferry-sweater',
    4,
    'Top down, sensible, well edited. The charts are small in print for my eyes and I enlarged them ' +
      'at the library. Yarn is given by weight and length, so I could substitute freely. Sleeves came ' +
      'out long on me, and I am not short, so measure first. The wave motif is easy to remember after ' +
      'two repeats, good for travelling.',
    'A sweater for my son, size 95.',
    'Anyone who has never read a color chart.',
  ),
  review(
    'paper-village',
    4,
    'Eleven cottages in December, one each evening, with a break when the church would not open ' +
      'because I had glued it shut. Folds are marked on the back so that no line shows. Paper of 200 grams ' +
      'was too stiff for the chimneys, 160 was right, and the sheet says thick without a number. Lit ' +
      'from below they made everyone quiet.',
    'An evening activity with my daughter before the holidays.',
    'Small children; the chimneys are tiny.',
  ),
  review(
    'paper-village',
    5,
    'Cut with a machine from the SVG, all in one afternoon, and every tab fitted. Someone has built ' +
      'these and not only drawn them. I made the bridge twice as long by adding a middle piece. They ' +
      'fold flat again if you leave two tabs unglued, so they are in an envelope until next year. ' +
      'My cat has eaten the mill.',
    'A window display in a bookshop.',
    'Homes with cats, apparently.',
  ),
  review(
    'bird-bingo',
    5,
    'Things that are merely lying about: one glove, a bottle top, a stick like a letter. That saved ' +
      'our stroll, because on a gray Sunday there are no birds. The three-year-old and the ten-year-old ' +
      'had cards of different levels and finished together. The sheet about what you really saw led to ' +
      'a proper talk about crows. Printed in gray on the back of old paper.',
    'Sunday strolls with two children.',
    'City centres with neither tree nor hedge.',
  ),
  review(
    'bird-bingo',
    4,
    'Thirty cards are enough for a whole class with some to spare. The drawings are small and right. ' +
      'Level four is truly for grown-ups, two of my colleagues became competitive. In our region a few ' +
      'of the birds do not occur, and there is no blank card on which to add our own, so I taped over ' +
      'some. For nothing, excellent.',
    'A school outing with twenty-six pupils.',
    'Regions without European garden birds.',
  ),
  review(
    'doll-furniture',
    4,
    'The drawers open. I did not believe it. Coffee stirrers from three cafés, a sharp knife, wood ' +
      'glue, and the dresser took two evenings. The order of gluing is the part that beginners lack and ' +
      'here it is numbered. Page 22 has a part drawn as 14 mm that should be 12, you notice when it ' +
      'does not go in. The stove is a delight.',
    'Furnishing a dollhouse from my own childhood.',
    'Those with unsteady hands; the parts are small.',
  ),
  review(
    'doll-furniture',
    2,
    'I own a laser and bought it for the DXF. The drawings in it overlap, so shared edges are cut ' +
      'twice and burnt, and there is no allowance for the width of the beam, hence all joints were ' +
      'loose. By hand from the PDF it may be excellent, the cutting lists look careful. For a machine ' +
      'these files need an evening of cleaning first.',
    'Cutting beds and chairs on a small laser.',
    'Laser owners, until the files are cleaned.',
  ),
]

function review(
  product: string,
  rating: SeedReview['rating'],
  text: string,
  usedFor: string,
  notFor: string,
): SeedReview {
  return { product, rating, text, usedFor, notFor }
}
