/**
 * Numbers and contacts of other people in sentences of six languages, made from a seed and valid by their own check
 * digits; beside them the same sentences with what only looks alike, and with what the customer wrote themselves.
 */
import { type Random, seededRandom } from "../../src/kernel/ports.ts";
import type { FindingKind } from "../../src/safety/may-leave.ts";
import { card, digits, disguised, grouped, iban, NETWORKS, pick } from "../../tests/safety/numbers.ts";
import type { Ceilings, Leaving } from "./judged.ts";
import type { Subject } from "./plain-list.ts";

export interface Made {
  readonly subject: Subject;
  readonly what: string;
  readonly texts: readonly Leaving[];
  /** Above these the run fails; 2 % each unless told. */
  readonly most?: Ceilings;
}

const EACH = 300;

const FRAMES = [
  "It says X here.",
  "The other customer gave us X, so I used that.",
  "I see X on file for this order.",
  "Hier steht X.",
  "Bei dieser Bestellung ist X hinterlegt.",
  "Je vois X dans le dossier.",
  "L'autre cliente nous a donné X.",
  "Aquí pone X.",
  "La otra clienta nos dio X.",
  "Aqui diz X.",
  "A outra cliente deu-nos X.",
  "Qui c'è scritto X.",
  "L'altra cliente ci ha dato X.",
  "X",
  "Note: X (see above)",
  "**X**",
] as const;
const framed = (random: Random, value: string): string => pick(random, FRAMES).replace("X", () => value);

const FIRST = [
  "anna",
  "b.keller",
  "jean-luc",
  "maria_lopez",
  "joao.silva",
  "g.rossi",
  "o'brien",
  "li.wei88",
  "müller",
];
const HOSTS = ["example.org", "mail.example.net", "post.example.de", "web.example.fr", "correo.example.es"];
const email = (random: Random): string =>
  `${pick(random, FIRST)}${pick(random, ["", digits(random, 2)])}@${pick(random, HOSTS)}`;
const spelledEmail = (random: Random): string =>
  email(random)
    .replace("@", pick(random, [" at ", " (at) ", "[at]"]))
    .replaceAll(".", pick(random, [" dot ", "(dot)"]));

/** `9` is any digit, `2` one that is not 0 or 1. */
const PHONES = [
  "+1 (229) 299-9999", "(229) 299-9999", "229-299-9999", "229.299.9999", "+1 229 299 9999",
  "+44 20 7946 9999", "020 7946 9999", "07700 999 999", "+44 7700 999999",
  "+49 30 99999999", "030 99999999", "0151 29999999", "+49 (0)151 2999 9999", "0151/29999999",
  "+33 6 29 99 99 99", "06 29 99 99 99", "01.29.99.99.99", "+33629999999",
  "+34 629 999 999", "629 999 999", "629 99 99 99", "0034 629999999",
  "+351 929 999 999", "929 999 999", "+55 11 92999-9999", "(11) 92999-9999",
  "+39 329 299 9999", "329 299 9999", "06 2999 9999", "+39 06 29999999",
]; // biome-ignore format: a table
const phone = (random: Random): string =>
  pick(random, PHONES).replace(/[29]/g, (it) =>
    String(it === "9" ? Math.floor(random.fraction() * 10) : 2 + Math.floor(random.fraction() * 8)),
  );
const PHONE_FRAMES = [
  "Call them at X.", "The phone number is X.", "Sie erreichen ihn unter X.", "Telefon: X", "Appelez le X.", "Son numéro est le X.",
  "Llame al X.", "Su teléfono es X.", "Ligue para X.", "O telemóvel é X.", "Chiami il X.", "Il suo cellulare è X.",
]; // biome-ignore format: a list

const LETTERS = "ABCDEFGHJKLMNPRSTVWXYZ";
const letters = (random: Random, count: number): string =>
  Array.from({ length: count }, () => pick(random, [...LETTERS])).join("");
function cpf(random: Random): string {
  const body = digits(random, 9);
  const key = (part: string): string => {
    const sum = [...part].reduce(
      (total, digit, index) => total + Number(digit) * (part.length + 1 - index),
      0,
    );
    return String(((sum * 10) % 11) % 10);
  };
  const first = key(body);
  const id = body + first + key(body + first);
  return `${id.slice(0, 3)}.${id.slice(3, 6)}.${id.slice(6, 9)}-${id.slice(9)}`;
}
const IDS: readonly (readonly [name: string, make: (random: Random) => string])[] = [
  ["United States, social security", (r) => `${pick(r, ["1", "2", "4", "5"])}${digits(r, 2)}-${1 + Math.floor(r.fraction() * 9)}${1 + Math.floor(r.fraction() * 9)}-${1 + Math.floor(r.fraction() * 9)}${digits(r, 3)}`],
  ["Spain, DNI", (r) => {
    const number = digits(r, 8);
    return `${number}${pick(r, ["", "-"])}${"TRWAGMYFPDXBNJZSQVHLCKE"[Number(number) % 23]}`;
  }],
  ["Italy, codice fiscale", (r) => `${letters(r, 6)}${digits(r, 2)}${pick(r, [..."ABCDEHLMPRST"])}${pick(r, ["0", "1", "2"])}${digits(r, 1)}${letters(r, 1)}${digits(r, 3)}${letters(r, 1)}`],
  ["France, NIR", (r) => {
    const body = `${pick(r, ["1", "2"])}${digits(r, 2)}${pick(r, ["01", "05", "11"])}${pick(r, ["13", "59", "75"])}${digits(r, 6)}`;
    const whole = body + String(97 - (Number(body) % 97)).padStart(2, "0");
    return pick(r, [whole, whole.replace(/(.)(..)(..)(..)(...)(...)(..)/, "$1 $2 $3 $4 $5 $6 $7")]);
  }],
  ["Brazil, CPF", cpf],
  ["United Kingdom, NINO", (r) => `${pick(r, ["AB", "CE", "JK", "SX"])} ${digits(r, 2)} ${digits(r, 2)} ${digits(r, 2)} ${pick(r, [..."ABCD"])}`],
  ["passport, named", (r) => `${pick(r, ["passport no. ", "Reisepass ", "passeport n° ", "pasaporte ", "passaporte ", "passaporto "])}${letters(r, 2)}${digits(r, 7)}`],
]; // biome-ignore format: a table

/** What a support answer has in it that is nobody's secret. */
const LOOK_ALIKES: readonly ((random: Random) => string)[] = [
  (r) => `invoice ${2_026_000_000 + Math.floor(r.fraction() * 999_999)}`,
  (r) => `article ${digits(r, 8)}`,
  (r) => `the EAN ${pick(r, ["40", "50", "73"])}${digits(r, 11)}`,
  (r) => `SKU ${letters(r, 3)}-${digits(r, 5)}`,
  (r) => `${1 + Math.floor(r.fraction() * 900)}.${digits(r, 2)} USD`,
  (r) => `1.${digits(r, 3)},00 €`,
  (r) => `2026-1${Math.floor(r.fraction() * 3)}-1${digits(r, 1)} 1${digits(r, 1)}:30`,
  (r) => `1${digits(r, 1)}.11.2026`,
  (r) => `Mon–Fri 9:00–17:30`.replace("30", pick(r, ["00", "15", "30"])),
  (r) => `sizes 38, 39, 40, 4${digits(r, 1)}`,
  (r) => `${digits(r, 2)} x ${digits(r, 2)} x ${digits(r, 2)} cm`,
  (r) => `model X${digits(r, 3)}-${digits(r, 2)}`,
  (r) => `version 2.${digits(r, 1)}.${digits(r, 2)}`,
  () => "order #1042",
  () => "tracking number SW123456",
  () => "+1 503 555 0142",
  () => "help@northwind.example",
  () => "https://northwind.example/returns",
  (r) => `1${digits(r, 3)} reviews with 4.${digits(r, 1)} stars`,
  (r) => `ZIP code ${digits(r, 5)}`,
];

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

function half(
  random: Random,
  subject: Subject,
  what: string,
  kinds: readonly FindingKind[],
  make: () => string,
  frame: (value: string) => string = (value) => framed(random, value),
): Made {
  const foreign = times(EACH, () => ({ text: frame(make()), heldFor: kinds }));
  return { subject, what, texts: foreign };
}

/** The customer's own: they wrote it in this conversation. */
const own = (random: Random, make: () => string): Leaving[] =>
  times(EACH / 3, () => {
    const value = make();
    return {
      text: framed(random, value),
      heldFor: null,
      context: { customerTexts: [`it is ${value}, thanks`] },
    };
  });

export function madeTexts(seed: number): readonly Made[] {
  const random = seededRandom(seed);
  const shown = (number: string) => {
    const shape = grouped(random, number);
    return random.fraction() < 0.3 ? disguised(random, shape) : shape;
  };
  const withOwn = (made: Made, make: () => string): Made => ({
    ...made,
    texts: [...made.texts, ...own(random, make)],
  });
  const ibanShown = () => {
    const value = iban(random);
    return pick(random, [value, (value.match(/.{1,4}/g) ?? []).join(" ")]);
  };
  return [
    half(random, "card", "card numbers, also the customer's own", ["card"], () =>
      shown(card(random, pick(random, NETWORKS))),
    ),
    withOwn(half(random, "iban", "bank accounts (IBAN)", ["iban"], ibanShown), ibanShown),
    half(random, "id", "government IDs of six countries and passports", ["ssn", "national_id"], () => {
      const [, make] = pick(random, IDS);
      return make(random);
    }),
    withOwn(
      half(random, "email", "e-mail addresses", ["email"], () =>
        random.fraction() < 0.15 ? spelledEmail(random) : email(random),
      ),
      () => email(random),
    ),
    withOwn(
      half(
        random,
        "phone",
        "phone numbers",
        ["phone"],
        () => phone(random),
        (value) => pick(random, PHONE_FRAMES).replace("X", () => value),
      ),
      () => phone(random),
    ),
    {
      subject: "card",
      what: "numbers that only look alike",
      texts: times(2 * EACH, () => ({
        text: framed(random, pick(random, LOOK_ALIKES)(random)),
        heldFor: null,
      })),
    },
  ];
}
