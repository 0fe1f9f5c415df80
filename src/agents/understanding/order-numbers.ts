/**
 * The numbers with which a customer names an order, as the customer gave them: digits of any script,
 * letters and hyphens inside, spelled out in words. What says of itself that it is something else (a
 * tracking number, a model, a price, a date, a phone number) is none. `order-references.ts` decides which
 * order a workflow works on; this reads what a message says without knowing any order.
 */

import { LIMITS } from "../../kernel/limits.ts";
import { folded } from "../../safety/reading.ts";
import { withPlainDigits } from "./digits.ts";

const MOST_REFERENCES = 20;

/** Words that introduce an order number. `n` is what is left of "n°". */
const ORDER_WORDS = new Set(
  (
    "order orders ord ordernumber po purchase invoice inv ref reference bestellung bestellungen bestellnummer " +
    "bestellnr best auftrag auftragsnummer rechnung rechnungsnummer pedido pedidos orden factura referencia " +
    "commande commandes cmd cde facture référence reference ordine ordini fattura riferimento encomenda " +
    "encomendas compra fatura"
  ).split(" "),
);
/** What may stand between such a word and its number. */
const BETWEEN = new Set(
  "number numbers no nr num nro número numero nummer numéro is was n id code : . # es ist est é è de der n° nº º ° the - =".split(
    " ",
  ),
);
const OTHER_THINGS = new Set(
  (
    "tracking track awb sendungsnummer seguimiento rastreo rastreio suivi tracciamento rma ticket case model " +
    "modell modelo modèle modello sku size größe talla taille tamanho taglia version coupon voucher cupon cupom " +
    "gutschein promo phone tel telefon teléfono téléphone telefone telefono mobile zip plz postcode cep cap " +
    "code password pin otp apt apartment apartamento floor room house hausnummer iphone galaxy windows serial " +
    "seriennummer page step schritt paso étape passo art article artikel item since seit desde depuis dal " +
    "street st calle rue via route gate level customer kundennummer cliente"
  ).split(" "),
);
const UNITS =
  /^(?:%|€|\$|£|usd|eur|euros?|gbp|dollars?|bucks|pounds?|reais|brl|pesos?|mxn|chf|days?|d|weeks?|wks?|months?|years?|yrs?|hours?|hrs?|h|min|minutes?|am|pm|tage?n?|wochen?|monate?n?|jahre?n?|stunden|uhr|días?|dias?|semanas?|mes|meses|años?|anos|horas?|jours?|semaines?|mois|ans|heures?|giorni|giorno|settimane?|mesi|anni|ore|kg|g|cm|mm|m|l|ml|lbs?|oz|inch|watts?|w|pieces|items?|times|x|stars?|st|nd|rd|th|artikel|stück|pcs|people|customers?)$/iu;
const ORDER_PREFIX = /^(?:cmd|inv|po|ord|or|order|gc|best|ped|so|re|rg|fac|fat|bst)[-\s]?\d/i;

interface Token {
  readonly text: string;
  /** Lower case without a closing dot. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}]*(?:[-/][\p{L}\p{N}]+)*|[#:=°º%€$£]/gu;

const DIGIT_WORDS: ReadonlyMap<string, string> = new Map(
  [
    "zero one two three four five six seven eight nine",
    "cero uno dos tres cuatro cinco seis siete ocho nueve",
    "null eins zwei drei vier fünf sechs sieben acht neun",
    "zéro un deux trois quatre cinq six sept huit neuf",
    "zero um dois três quatro cinco seis sete oito nove",
    "zero uno due tre quattro cinque sei sette otto nove",
  ]
    .flatMap((line) => line.split(" ").map((word, digit): [string, string] => [word, String(digit)]))
    .concat([
      ["oh", "0"],
      ["o", "0"],
      ["nought", "0"],
      ["zwo", "2"],
      ["meia", "6"],
      ["fuenf", "5"],
      ["tres", "3"],
      ["zéro", "0"],
    ]),
);
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");

/** Digits of every script as 0–9; letters that look like others plain; nothing invisible. */
function plain(text: string): string {
  return folded(withPlainDigits(text.slice(0, LIMITS.messageChars))).text;
}

/** `taken`: spans (in the folded text) of personal data, which is no order number unless introduced as one. */
export function orderNumbersIn(text: string, personal: readonly string[] = []): readonly string[] {
  const all = plain(text);
  const tokens: Token[] = [];
  for (const match of all.matchAll(TOKEN)) {
    const token = match[0];
    tokens.push({
      text: token,
      word: token.toLowerCase(),
      start: match.index,
      end: match.index + token.length,
    });
  }
  const found: string[] = [];
  const taken = new Set<number>();
  const add = (number: string): void => {
    if (!found.includes(number) && found.length < MOST_REFERENCES) found.push(number);
  };
  let speaksOfOrder = false;
  for (let index = 0; index < tokens.length; index += 1) {
    speaksOfOrder ||= ORDER_WORDS.has(tokens[index]?.word ?? "");
    const spelled = spelledAt(tokens, index);
    if (spelled !== null) {
      if (spelled.count >= 3 || (spelled.digits.length >= 3 && isIntroduced(tokens, index, taken)))
        add(spelled.digits);
      index += spelled.count - 1;
      continue;
    }
    const number = numberAt(all, tokens, index, taken, personal, speaksOfOrder);
    if (number === null) continue;
    for (let at = index; at < index + number.count; at += 1) taken.add(at);
    add(number.text);
    index += number.count - 1;
  }
  return found;
}

function numberAt(
  all: string,
  tokens: readonly Token[],
  index: number,
  taken: ReadonlySet<number>,
  personal: readonly string[],
  speaksOfOrder: boolean,
): { text: string; count: number } | null {
  const token = tokens[index] as Token;
  const introduced = isIntroduced(tokens, index, taken);
  const text = introduced ? withoutLookAlikes(token.text) : token.text;
  const digits = text.replace(/\D/g, "").length;
  if (digits === 0 || text.length > 24) return null;
  const hashed = tokens[index - 1]?.text === "#" && !isOtherThing(tokens, index - 1);
  const next = tokens[index + 1];
  const gap = next === undefined ? "" : all.slice(token.end, next.start);
  const glued = all[token.start - 1] ?? " ";
  if (/[@.\w]/.test(glued) && glued !== "." && !/\s/.test(glued)) return null;
  // "order 50 231": a number written in groups.
  if ((introduced || hashed) && /^\d{1,3}$/.test(text) && gap === " " && next !== undefined) {
    const joins = /^\d{3}$/.test(next.text) || (text.length === 2 && /^\d{2}$/.test(next.text));
    const after = tokens[index + 2];
    if (joins && !(after !== undefined && UNITS.test(after.text)))
      return { text: text + next.text, count: 2 };
  }
  const unit = next !== undefined && UNITS.test(next.text) && /^[ -]?$/.test(gap);
  if (introduced || hashed) {
    // "order 2 socks" counts; order numbers have three digits or a hash.
    return (hashed || digits >= 3) && !(unit && digits < 4) ? { text, count: 1 } : null;
  }
  if (unit || isOtherThing(tokens, index) || isPrice(all, token) || !looksLikeOne(all, token, text))
    return null;
  // A message that speaks of an order before a number in parts means that order by it, whatever its shape.
  if (speaksOfOrder && /^\d+(?:-\d+)+$/.test(text)) return { text, count: 1 };
  const own = lettersAndDigits(text);
  return personal.some((value) => lettersAndDigits(value).includes(own)) ? null : { text, count: 1 };
}

const lettersAndDigits = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();

/** Without a word that introduces it, only the shape can tell. */
function looksLikeOne(all: string, token: Token, text: string): boolean {
  if (ORDER_PREFIX.test(text)) return true;
  if (/^\d+(?:-[\dA-Z]+)+$/i.test(text)) return isNumberWithParts(text);
  if (/^\d{4,}\/\d{1,2}$/.test(text)) return true;
  return /^\d{4,8}$/.test(text) && !/^(?:19|20)\d\d$/.test(text) && !isContinued(all, token);
}

/** "77-201-X", "1042-A", "9-4410": not "5-7", "10-12", a date or a phone number. */
function isNumberWithParts(text: string): boolean {
  if (
    /^(?:19|20)\d\d-\d{1,2}(?:-\d{1,2})?$|^\d{1,2}-\d{1,2}-(?:19|20)\d\d$|^\d{3}-\d{3,4}$|^\d{3}-\d{3}-\d{4}$/.test(
      text,
    )
  )
    return false;
  const parts = text.split("-");
  const digits = text.replace(/\D/g, "").length;
  if (parts.length === 2 && /^[a-z]{2,}$/i.test(parts[1] ?? "")) return false;
  return digits >= 4 || (digits >= 3 && parts.some((part) => part.length >= 3));
}

/** Decimals, times and what is longer than a token: "1042.50", "10:30", "+1 202 …". */
function isContinued(all: string, { start, end }: Token): boolean {
  return (
    /^[.,:]\d/.test(all.slice(end, end + 2)) ||
    /\d[.,:]$|\+\d{0,3} ?$/.test(all.slice(Math.max(0, start - 5), start))
  );
}

function isPrice(all: string, { start, end }: Token): boolean {
  return (
    /[$€£] ?$/.test(all.slice(Math.max(0, start - 2), start)) || /^ ?[$€£%]/.test(all.slice(end, end + 2))
  );
}

function isIntroduced(tokens: readonly Token[], index: number, taken: ReadonlySet<number>): boolean {
  for (let back = 1; back <= 4; back += 1) {
    const before = tokens[index - back];
    if (before === undefined) return false;
    if (ORDER_WORDS.has(before.word)) return !isOtherThing(tokens, index - back + 1);
    // "orders 1042 and 1043"
    if (
      back === 2 &&
      taken.has(index - 2) &&
      /^(?:and|or|und|oder|y|o|et|ou|e|&)$/.test(tokens[index - 1]?.word ?? "")
    )
      return true;
    if (!BETWEEN.has(before.word)) return false;
  }
  return false;
}

function isOtherThing(tokens: readonly Token[], index: number): boolean {
  for (let back = 1; back <= 3; back += 1) {
    const word = tokens[index - back]?.word ?? "";
    if (OTHER_THINGS.has(word)) return true;
    if (!BETWEEN.has(word)) return false;
  }
  return false;
}

/** "1O42" and "l042", where an order number is said to come. */
const withoutLookAlikes = (text: string): string =>
  /^[\dOolI]+$/.test(text) && (text.match(/\d/g)?.length ?? 0) >= 2
    ? text.replace(/[Oo]/g, "0").replace(/[lI]/g, "1")
    : text;

/** Number words from here on, as digits said one by one or in pairs: "one-oh-four-two", "ten forty-two". */
function spelledAt(tokens: readonly Token[], index: number): { digits: string; count: number } | null {
  let digits = "";
  let count = 0;
  let words = 0;
  for (let at = index; at < tokens.length; at += 1) {
    const parts = (tokens[at]?.word ?? "").split("-");
    const read = digitsOf(parts);
    if (read === null) break;
    digits += read.digits;
    words += read.words;
    count += 1;
  }
  // Alone, "one" or "uno" is a word like any other.
  if (count === 0 || words < 2 || (digits.length < 3 && words < 3)) return null;
  return words >= 3 || digits.length >= 3 ? { digits, count: Math.max(count, 1) } : null;
}

function digitsOf(parts: readonly string[]): { digits: string; words: number } | null {
  let digits = "";
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? "";
    const one = DIGIT_WORDS.get(part);
    const teen = TEENS.indexOf(part);
    const ten = TENS.indexOf(part);
    if (one !== undefined) digits += one;
    else if (teen >= 0) digits += String(10 + teen);
    else if (ten >= 0) {
      const unit = DIGIT_WORDS.get(parts[at + 1] ?? "");
      digits += unit === undefined ? String((ten + 2) * 10) : `${ten + 2}${unit}`;
      if (unit !== undefined) at += 1;
    } else return null;
  }
  return { digits, words: parts.length };
}
