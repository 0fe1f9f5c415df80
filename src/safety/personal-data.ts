/**
 * Personal data in a text, with its place: pure detectors that share no state, linear in the text. What a
 * check digit can prove is proved (Luhn, ISO 7064, national keys); the rest needs a shape that prose,
 * order numbers, amounts and tracking numbers do not have, or a word that says what it is.
 */
import { cardSpans } from "./card-numbers.ts";
import { ibansIn, type Span } from "./iban.ts";
import { everyMatch, folded } from "./reading.ts";

export type PersonalDataKind =
  | "card"
  | "cvv"
  | "iban"
  | "ssn"
  | "national_id"
  | "email"
  | "phone"
  | "address";

export interface PersonalData {
  readonly kind: PersonalDataKind;
  /** UTF-16 offsets in the text as it was given. */
  readonly start: number;
  readonly end: number;
  /** Folded: plain digits and letters, without invisible characters. */
  readonly value: string;
}

/**
 * What is found of the wanted kinds, in order of appearance; of what overlaps, the kind that is proved by a check digit, wanted
 * or not.
 */
export function personalDataIn(
  text: string,
  wanted: (kind: PersonalDataKind) => boolean = () => true,
): readonly PersonalData[] {
  const { text: plain, at } = folded(text);
  const found: PersonalData[] = [];
  const taken = new Uint8Array(plain.length);
  const digits = digitsOf(plain).length;
  const last = DETECTORS.findLastIndex(([kind, leastDigits]) => digits >= leastDigits && wanted(kind));
  for (const [kind, leastDigits, detect] of DETECTORS.slice(0, last + 1)) {
    if (digits < leastDigits) continue;
    for (const [from, to] of detect(plain)) {
      if (taken.subarray(from, to).includes(1)) continue;
      taken.fill(1, from, to);
      if (wanted(kind)) found.push({ kind, start: at(from), end: at(to), value: plain.slice(from, to) });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

type Spans = Iterable<Span>;

const digitsOf = (text: string): string => text.replace(/\D/g, "");
const before = (text: string, index: number, chars = 28): string =>
  text.slice(Math.max(0, index - chars), index).toLowerCase();

function* matches(
  text: string,
  pattern: RegExp,
  keep: (match: RegExpExecArray) => boolean = () => true,
): Spans {
  for (const match of everyMatch(text, pattern)) {
    if (keep(match)) yield [match.index, match.index + match[0].length];
  }
}

const CODE_NAME =
  "cvv2?|cvc2?|csc|cid|security code|card code|verification code|pr[uü]f(?:nummer|ziffer|zahl)|kartenpr[uü]fnummer|sicherheitscode|c[oó]digo de seguran?[cçz]?a|c[oó]digo de seguridad|cryptogramme(?: visuel)?|code de s[eé]curit[eé]|codice di sicurezza";
const CODE_PATTERNS: readonly RegExp[] = [
  `(?<![\\p{L}])(?:${CODE_NAME})(?![\\p{L}])[^\\d\\n]{0,24}(?<!\\d)\\d{3,4}(?!\\d)`,
  `(?<![\\d#])\\d{3,4}(?!\\d)\\W{0,3}(?:(?:is|as|=|ist|est|es|é|è)\\W{1,3})?(?:(?:my|your|the|mein|ihr|dein|der|die|mon|votre|mi|su|tu|el|o|seu|il|suo|tuo|le|la)\\W)?(?:${CODE_NAME})(?![\\p{L}])`,
].map((source) => new RegExp(source, "giu"));
const EXPIRY =
  "(?:exp(?:iry|ires|\\.)?|valid(?: thru| until)?|g[uü]ltig(?: bis)?|cad(?:uca)?\\.?|validade|scad(?:enza)?\\.?)?[\\s:]{0,2}(?:0[1-9]|1[0-2])\\s?[/.-]?\\s?(?:20)?[23]\\d";
/** Straight after a card number no name is needed: a code that is as long as that network's, or one after a date. */
const codeAfterCard = (length: 3 | 4) =>
  new RegExp(
    `^(?:[\\s,;|/-]{1,3}${EXPIRY}[\\s,;|/-]{1,3}\\d{3,4}|[\\s,;|/-]{1,3}\\d{${length}})(?![\\p{L}\\d])`,
    "iu",
  );
const AFTER_CARD = codeAfterCard(3);
const AFTER_AMEX = codeAfterCard(4);
function* cvvs(text: string): Spans {
  for (const pattern of CODE_PATTERNS) yield* matches(text, pattern);
  for (const [start, end] of cardSpans(text)) {
    const isAmex = digitsOf(text.slice(start, end)).length === 15;
    const code = (isAmex ? AFTER_AMEX : AFTER_CARD).exec(text.slice(end, end + 48));
    if (code !== null) yield [end + code[0].search(/[^\s,;|/-]/u), end + code[0].length];
  }
}

const REFERENCE_WORD =
  /(?:order|ticket|ref|reference|rma|tracking|case|invoice|bestell\w*|auftrag\w*|pedido|commande|ordine|encomenda|n[o°º]\.?|nr\.?|number|#)[\s:.#]*$/;
/** Also the tax number in its place (900 and above). */
const SSN = /(?<![\d-])(?!000|666)\d{3}([- .])(?!00)\d{2}\1(?!0000)\d{4}(?![\d-])/g;
const SSN_NAMED =
  /(?<![\p{L}])(?:ssn|social security(?: number| no\.?)?)(?![\p{L}])[^\d\n]{0,16}\d{3}[- ]?\d{2}[- ]?\d{4}(?!\d)/giu;
function* ssns(text: string): Spans {
  yield* matches(text, SSN_NAMED);
  yield* matches(text, SSN, (match) => {
    const lead = before(text, match.index);
    return /ssn|social/.test(lead) || !REFERENCE_WORD.test(lead);
  });
}

// National IDs that carry a check, and those that only their name gives away.
const DNI = /(?<![A-Za-z0-9])[XYZxyz]?\d{7,8}[ -]?[A-HJ-NP-TV-Za-hj-np-tv-z](?![A-Za-z0-9])/g;
const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
function isDni(raw: string): boolean {
  const id = raw.replace(/[ -]/g, "").toUpperCase();
  if (id.length !== 9) return false;
  const number = Number(id.slice(0, -1).replace("X", "0").replace("Y", "1").replace("Z", "2"));
  return DNI_LETTERS[number % 23] === id.at(-1);
}
const CODICE_FISCALE =
  /(?<![A-Za-z0-9])[A-Z]{6}[\dLMNP-V]{2}[ABCDEHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z](?![A-Za-z0-9])/gi;
const NIR =
  /(?<!\d)[12][ ]?\d{2}[ ]?(?:0[1-9]|1[0-2]|20)[ ]?(?:\d{2}|2[AB])[ ]?\d{3}[ ]?\d{3}[ ]?\d{2}(?!\d)/gi;
function isNir(raw: string): boolean {
  const id = raw.replace(/ /g, "").toUpperCase().replace("2A", "19").replace("2B", "18");
  return /^\d{15}$/.test(id) && 97 - (Number(id.slice(0, 13)) % 97) === Number(id.slice(13));
}
const CPF = /(?<![\d.])\d{3}\.\d{3}\.\d{3}-\d{2}(?!\d)/g;
function isCpf(raw: string): boolean {
  const id = digitsOf(raw);
  const key = (length: number) => {
    let sum = 0;
    for (let index = 0; index < length; index += 1) sum += Number(id[index]) * (length + 1 - index);
    return ((sum * 10) % 11) % 10;
  };
  return !/^(\d)\1+$/.test(id) && key(9) === Number(id[9]) && key(10) === Number(id[10]);
}
const NINO =
  /(?<![A-Za-z0-9])(?![DFIQUV])[A-Z](?![DFIOQUV])[A-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D](?![A-Za-z0-9])/g;
const NAMED_ID =
  /(?<![\p{L}])(?:passport|reisepass(?:nummer)?|passeport|pasaporte|passaporte|passaporto|ausweis(?:nummer)?|personalausweis(?:nummer)?|steuer-?id(?:entifikationsnummer)?|identity card|national id|id card|driver'?s licen[cs]e|dni|nie|nif|n\.? ?i\.? ?f\.?|cpf|rg|codice fiscale|carta d'identit[aà]|carte d'identit[eé]|num[eé]ro de s[eé]curit[eé] sociale|documento de identidad|cart[aã]o de cidad[aã]o)(?![\p{L}])[^\d\n]{0,20}(?=[A-Za-z0-9 -]{0,4}\d)[A-Za-z]{0,3}[ -]?\d(?:[ ]?[A-Za-z0-9]){4,13}(?![A-Za-z0-9])/giu;
function* nationalIds(text: string): Spans {
  yield* matches(text, DNI, ({ 0: run }) => isDni(run));
  yield* matches(text, CODICE_FISCALE);
  yield* matches(text, NIR, ({ 0: run }) => isNir(run));
  yield* matches(text, CPF, ({ 0: run }) => isCpf(run));
  yield* matches(text, NINO);
  yield* matches(text, NAMED_ID);
}

const EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu;
const SPELLED_EMAIL =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64} ?(?:\(at\)|\[at\]|\{at\}| at ) ?[\p{L}\p{N}-]{1,63} ?(?:\(dot\)|\[dot\]|\{dot\}| dot |\(punkt\)|\(punto\)|\(point\)) ?[a-z]{2,10}(?![\p{L}])/giu;
function* emails(text: string): Spans {
  yield* matches(text, EMAIL);
  yield* matches(text, SPELLED_EMAIL);
}

// Phones: international, the written shapes of the six languages' countries, or named as one.
const PHONE_WORD =
  /(?<!\p{L})(?:phone|tel|telephone|mobile|cell|call|ring|text|sms|whatsapp|fax|contact|telefon|handy|mobil|anruf\w*|tel[eé]fono|m[oó]vil|celular|ll[aá]m\w*|t[eé]l[eé]phone|portable|appel\w*|joign\w*|telem[oó]vel|ligue|ligar|contacto|contato|telefone|cellulare|chiam\w*|numero)[^\d\n+]{0,24}$/u;
const INTERNATIONAL = /(?<![\d+])(?:\+|00(?=[1-9][\d ]))[ ]?[1-9](?:[ ()./-]{0,2}\d){6,14}(?!\d)/g;
const NORTH_AMERICAN =
  /(?<![\d.,-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])[2-9]\d{2}[ .-]\d{4}(?![\d-])/g;
const TRUNK_ZERO = /(?<![\d.,#/-])\(?0[1-9]\d{0,4}\)?(?:[ ./-]{1,2}\d{2,8}){1,5}(?![\d.,]\d|\d|[-/]\d)/g;
const BRAZILIAN = /(?<!\d)\(\d{2}\) ?9?\d{4}-\d{4}(?!\d)/g;
const GROUPED_NINE = /(?<![\d.,#+-])[679]\d{2} (?:\d{3} \d{3}|\d{2} \d{2} \d{2})(?![ ]?\d)/g;
const NAMED_PHONE = /(?<![\d.,#+])\(?\d(?:[ ()./-]{0,2}\d){6,14}(?!\d)/g;
function* phones(text: string): Spans {
  const sized = (low: number) => (match: RegExpExecArray) => {
    const { length } = digitsOf(match[0]);
    return length >= low && length <= 15;
  };
  yield* matches(text, INTERNATIONAL, sized(8));
  yield* matches(text, NORTH_AMERICAN, (match) => !REFERENCE_WORD.test(before(text, match.index)));
  yield* matches(
    text,
    TRUNK_ZERO,
    (match) =>
      sized(9)(match) &&
      digitsOf(match[0]).length <= 12 &&
      !/^0[1-9][./-]\d{1,2}[./-]\d{2,4}$/.test(match[0]) &&
      !REFERENCE_WORD.test(before(text, match.index)),
  );
  yield* matches(text, BRAZILIAN);
  yield* matches(text, GROUPED_NINE, (match) => !REFERENCE_WORD.test(before(text, match.index)));
  yield* matches(text, NAMED_PHONE, (match) => {
    const lead = before(text, match.index, 40);
    return (
      sized(7)(match) &&
      PHONE_WORD.test(lead) &&
      !/(?:order|pedido|bestell|commande|encomenda|ordine|tracking|card|#)[^\d]{0,12}$/.test(lead)
    );
  });
}

const NUMBER = String.raw`\d{1,5}[a-z]?`;
const ADDRESSES: readonly RegExp[] = [
  // English: number, name, kind of street; a kind that is also another word has a capital.
  new RegExp(
    String.raw`(?<![\p{L}\d#.,-])${NUMBER} (?:[\p{L}\d][\p{L}\d'.-]{0,30} ){1,3}(?:[Ss]treet|STREET|[Aa]venue|AVENUE|[Rr]oad|ROAD|[Bb]oulevard|BOULEVARD|[Pp]arkway)(?![\p{L}])`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<![\p{L}\d#.,-])${NUMBER} (?:[\p{Lu}\d][\p{L}\d'.-]{0,30} ){1,3}(?:St|Ave?|Rd|Lane|Ln|Drive|Dr|Blvd|Court|Ct|Way|Place|Pl|Square|Terrace|Crescent|Close|Pkwy)(?![\p{L}])`,
    "gu",
  ),
  /(?<![\p{L}\d#.,-])\d{1,5} (?:(?:N|S|E|W|North|South|East|West)\.? )?Broadway(?!\p{L})/gu,
  // German: name with its kind, number.
  new RegExp(
    String.raw`(?<![\p{L}])\p{Lu}[\p{L}-]{1,40}(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|ring|ufer|damm|chaussee) ${NUMBER}(?![\p{L}\d])`,
    "gu",
  ),
  new RegExp(
    String.raw`(?<![\p{L}])\p{Lu}[\p{L}-]{1,40} (?:Stra(?:ß|ss)e|Str\.|Weg|Platz|Allee) ${NUMBER}(?![\p{L}\d])`,
    "gu",
  ),
  // French: number, kind, name.
  /(?<![\p{L}\d#])\d{1,4}(?: ?(?:bis|ter))?,? (?:rue|avenue|av\.|boulevard|bd|place|chemin|impasse|all[eé]e|quai|cours|route) (?:de |du |des |d'|de la |de l')?[\p{L}'-]{2,30}/giu,
  // Spanish, Portuguese, Italian: kind, name, number.
  new RegExp(
    String.raw`(?<![\p{L}])(?:calle|c\/|avenida|avda\.?|av\.|plaza|paseo|carrer|rua|travessa|pra[cç]a|estrada|via|viale|piazza|corso|largo|vicolo) (?:[\p{L}'.-]{1,30} ){0,4}[\p{L}'.-]{1,30},? (?:n\.?[ºo°]\.? ?)?${NUMBER}(?![\p{L}\d])`,
    "giu",
  ),
  /(?<![\p{L}])(?:p\.? ?o\.? box|postfach|apartado(?: de correos)?|caixa postal|casella postale|bo[iî]te postale) \d{2,7}(?!\d)/giu,
];
function* addresses(text: string): Spans {
  for (const pattern of ADDRESSES) yield* matches(text, pattern);
}

/** In order of proof: what comes first wins where two overlap. With the digits that the shortest of its kind has. */
const DETECTORS: readonly (readonly [PersonalDataKind, leastDigits: number, (text: string) => Spans])[] = [
  ["card", 13, cardSpans],
  ["iban", 2, ibansIn],
  ["email", 0, emails],
  ["ssn", 9, ssns],
  ["national_id", 1, nationalIds],
  ["cvv", 3, cvvs],
  ["phone", 7, phones],
  ["address", 1, addresses],
];
