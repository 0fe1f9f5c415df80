/**
 * Questions about the documents that this repository ships, written for measuring and never fitted to: in other words
 * than the documents use, in six languages, and as many that the documents do not answer though they are near.
 */
export interface WrittenQuestion {
  readonly tenant: "northwind" | "kestrel";
  readonly language: string;
  readonly text: string;
  /** What the right passage contains; null: no document answers it. */
  readonly answer: RegExp | null;
}

const lines = (tenant: WrittenQuestion["tenant"], language: string, text: string): WrittenQuestion[] =>
  text
    .trim()
    .split("\n")
    .map((line) => {
      const [question = "", answer = ""] = line.split(" => ");
      return {
        tenant,
        language,
        text: question.trim(),
        answer: answer.trim() === "-" ? null : new RegExp(answer.trim(), "i"),
      };
    });

export const WRITTEN: readonly WrittenQuestion[] = [
  ...lines(
    "northwind",
    "en",
    `
what do you charge to send a parcel to me => 6[.,]95
from how much do I not have to pay postage => \\$75
can you get it here faster if I pay more => express
how many days till my stuff arrives => 3 to 5
do you deliver to toronto, canada => 19\\.90
is it possible to have things sent to mexico => 19\\.90
could I collect my purchase in the shop myself => pick up in store
where do I see where my package is => tracking link
what time do you close on saturdays => 10 am to 7 pm
is the shop open on a sunday => sunday from 11
is there a branch in portland => alder street
what number can I call => 555 0142
do you accept amex => american express
may I pay with google pay => google pay
pay in four parts => 4 installments
I'd like to buy a voucher for a friend => \\$10 to \\$500
do your gift cards run out => never expire
where do I type in the code of a gift card => 16-digit
which size should I take => true to size|measure
does the rain jacket keep water out => 20,000 mm
how long is the guarantee on a backpack => 2 years
the zipper of my jacket broke, can you fix it => zips
any reduction for students => 10 percent
cheaper elsewhere, will you match it => match prices
tell me when the blue socks are available again => tell me
I moved, the parcel must go to another street => change its address
need the receipt for my taxes => invoice
stop sending me your newsletter => newsletter
where does the wool come from => new zealand
the refund is not on my card yet, how long does that take => 5 to 10 business days
how long can I send something back => 30 days
can sale items be returned that were marked final => final sale
until when may I give things back => 30 days
`,
  ),
  ...lines(
    "northwind",
    "es",
    `
cuánto me cobran por mandar el paquete => 6[.,]95
¿en cuántos días llega el pedido normalmente? => 3 (?:a|to) 5
¿mandan cosas a México? => 19[.,]90
¿a qué hora abren las tiendas? => 10 am
¿puedo pagar con PayPal? => paypal
¿la chaqueta es impermeable? => 20,000 mm
`,
  ),
  ...lines(
    "northwind",
    "fr",
    `
combien coûte la livraison ? => 6[.,]95
livrez-vous au Canada ? => 19[.,]90
quelle est la garantie de vos produits ? => 2 years
puis-je payer en plusieurs fois ? => 4 installments
vendez-vous des cartes cadeaux ? => \\$10 to \\$500
`,
  ),
  ...lines(
    "northwind",
    "pt",
    `
quanto custa o envio? => 6[.,]95
enviam para o México? => 19[.,]90
a jaqueta é impermeável? => 20,000 mm
`,
  ),
  ...lines(
    "northwind",
    "it",
    `
quanto costa la spedizione? => 6[.,]95
avete uno sconto per studenti? => 10 percent
posso pagare con la carta? => visa
`,
  ),
  ...lines(
    "kestrel",
    "en",
    `
how much is it to have something delivered in germany => 4[.,]90
do you send to austria and what does it cost => 12[.,]90
can I get it sent to switzerland => switzerland
opening times of the berlin showroom => 11:00 to 19:00
how many hours can I listen before I must charge => 38 hours
connect headphones and iphone => hold the power button for 5 seconds
they do not connect any more, how do I do a factory reset => power and volume down
how long do I have warranty on the earphones => 3 years
does the headset work with my playstation => playstation
can I buy on account => klarna
are your vouchers valid for ever => 3 years
how can I wash the ear cushions => damp cloth
what is your telephone number => 30 5550 142
within how many days may I return the headphones => 14 days
`,
  ),
  ...lines(
    "kestrel",
    "de",
    `
was kostet es, wenn ihr nach Hamburg liefert? => 4[.,]90
wie lange braucht ein Paket nach Österreich? => 3 (?:bis|to) 7
liefert ihr auch in die Schweiz? => schweiz|switzerland
wann hat der Showroom in Berlin offen? => 11:00
wie lange hält der Akku? => 38 hours
wie setze ich den Kopfhörer zurück? => volume down
kann ich auf Rechnung bezahlen? => klarna
wie lange habe ich Garantie? => 3 years
`,
  ),
  ...lines(
    "northwind",
    "en",
    `
do you sell tents => -
how much is the trail jacket => -
do you ship to germany by drone => -
is the ceo of northwind married => -
can I rent skis at your store => -
what is the weather in portland => -
do you have a loyalty programme with points => -
how many employees do you have => -
can I pay with bitcoin => -
who won the world cup => -
are your zippers made by ykk => -
do you buy back used clothes => -
is there parking at the store => -
can I bring my dog into the shop => -
do you offer a military discount => -
are you hiring => -
does the jacket come in red => -
write me a poem about socks => -
what is 12 times 12 => -
can you recommend a hiking trail => -
how heavy is the trail jacket => -
do you have a catalogue on paper => -
can I visit your factory => -
is the wool vegan => -
what is the wifi password in the store => -
`,
  ),
  ...lines(
    "northwind",
    "es",
    `
¿tienen un programa de puntos? => -
¿puedo alquilar una tienda de campaña? => -
¿quién es el presidente? => -
`,
  ),
  ...lines(
    "kestrel",
    "en",
    `
do you make loudspeakers for cars => -
how heavy are the studio headphones => -
which codec do they support => -
what do the headphones cost => -
can I trade in my old headphones => -
do you have a shop in munich => -
do they have a microphone => -
are they good for running in the rain => -
do you sponsor concerts => -
what is the impedance in ohms => -
`,
  ),
  ...lines(
    "kestrel",
    "de",
    `
habt ihr auch Plattenspieler? => -
wie schwer ist der Kopfhörer? => -
gibt es einen Laden in Köln? => -
wie wird das Wetter morgen? => -
`,
  ),
];
