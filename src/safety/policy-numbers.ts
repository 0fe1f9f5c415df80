/**
 * Limits stated in a text beside the policy's own: "you have 45 days", "refunds up to 500 need no approval".
 * A number of days or an amount that is worded as a limit of refunds or returns has to be one that the policy
 * states, or one that this customer's own orders show. Pure, linear.
 */
import { keepingLatest } from "../kernel/latest.ts";
import { LIMITS } from "../kernel/limits.ts";
import { everyMatch, folded, sentencesOf, unaccented } from "./reading.ts";

/** What the policy states, to compare with. */
export interface PolicyNumbers {
  /** Whole days: the window, the period of a limit. */
  readonly days: readonly number[];
  /** Plain decimals without trailing zeros: `100`, `12.5`. */
  readonly amounts: readonly string[];
}

export interface StatedLimit {
  readonly kind: "days" | "amount";
  /** Days, or the plain decimal. */
  readonly value: string;
  readonly sentence: string;
}

const ABOUT =
  /(?<!\p{L})(?:refund\p{L}*|return\p{L}*|send (?:it|them|this|items?) back|money back|exchange\p{L}*|withdraw\p{L}*|(?:ruck)?erstatt\p{L}*|ruckgabe\p{L}*|ruckzahl\p{L}*|zuruck\p{L}*|retour\p{L}*|rucksend\p{L}*|umtausch\p{L}*|widerruf\p{L}*|rembours\p{L}*|renvo\p{L}*|retourn\p{L}*|echang\p{L}*|reembols\p{L}*|devol\p{L}*|devuel\p{L}*|estorn\p{L}*|troca\p{L}*|rimbors\p{L}*|reso|resi|restitu\p{L}*|cambi\p{L}*|rend\p{L}+|policy|richtlinie\p{L}*|politique|politica)(?!\p{L})/u;

const UNIT_DAYS: readonly (readonly [RegExp, number])[] = [
  [
    /^(?:(?:calendar|business|working|full|calendar|dias?|jours?) )?(?:days?|tage?n?|werktage?n?|kalendertage?n?|jours?|dias?|giorni|giorno)/u,
    1,
  ],
  [/^(?:weeks?|wochen?|semaines?|semanas?|settimane|settimana)/u, 7],
  [/^(?:months?|monate?n?|mois|mes(?:es)?|mesi|mese)/u, 30],
  [/^(?:years?|jahre?n?|ans?|annees?|anos?|anni|anno)/u, 365],
];
const UNITS =
  "(?:calendar |business |working |full )?(?:days?|weeks?|months?|years?|tage?n?|werktage?n?|kalendertage?n?|wochen?|monate?n?|jahre?n?|jours?|semaines?|mois|ans?|annees?|dias?|semanas?|mes(?:es)?|anos?|giorni|giorno|settimane|settimana|mesi|mese|anni|anno)";
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  one: 1, "a whole": 1, "a full": 1, "an entire": 1, "ein ganzes": 1, "einen ganzen": 1, "eine ganze": 1, ein: 1, eine: 1, einen: 1, einem: 1, einer: 1, un: 1, une: 1, "toute une": 1, um: 1, uma: 1, una: 1, five: 5, funf: 5, cinq: 5, cinco: 5, cinque: 5, eight: 8, acht: 8, huit: 8, ocho: 8, oito: 8, otto: 8, twenty: 20, zwanzig: 20, vingt: 20, veinte: 20, vinte: 20, venti: 20,
  seven: 7, ten: 10, fourteen: 14, fifteen: 15, thirty: 30, sixty: 60, ninety: 90, forty: 40, "forty-five": 45, hundred: 100,
  sieben: 7, zehn: 10, vierzehn: 14, dreissig: 30, sechzig: 60, neunzig: 90,
  sept: 7, dix: 10, quatorze: 14, quinze: 15, trente: 30, soixante: 60,
  siete: 7, diez: 10, catorce: 14, quince: 15, treinta: 30, sesenta: 60, noventa: 90,
  sete: 7, dez: 10, trinta: 30, sessenta: 60,
  sette: 7, dieci: 10, quattordici: 14, quindici: 15, trenta: 30, sessanta: 60, novanta: 90,
  two: 2, three: 3, four: 4, six: 6, twelve: 12, zwei: 2, drei: 3, vier: 4, sechs: 6, zwolf: 12, deux: 2, trois: 3, six_: 6, douze: 12, dos: 2, tres: 3, seis: 6, doce: 12, dois: 2, duas: 2, doze: 12, due: 2, tre: 3, sei: 6, dodici: 12,
}; // biome-ignore format: a table
const COUNT = `(?:\\d{1,4}|${Object.keys(NUMBER_WORDS).join("|")})`;

/** Worded as a window: within 45 days, a 45-day window, 45 days to return. */
const WINDOWS: readonly RegExp[] = [
  `(?:within|inside(?: of)?|up to|in the first|for up to|as long as|until|no later than|maximum(?: of)?|innerhalb von|innerhalb|binnen|bis zu|spatestens|dans les|sous|jusqu'a|pendant|dans un delai de|en un plazo de|dentro de(?: los)?|hasta|durante|plazo de|no prazo de|dentro de|ate|durante|entro|fino a|per)(?: (?:the|a|an|ihrer|unsere\\p{L}*|die|der|los|las|les|i|gli|os|as))? (${COUNT}) ?-?(${UNITS})(?!\\p{L})`,
  `(?<!\\p{L})(${COUNT})[- ](days?|weeks?|months?|years?)[- ](?:return|refund|money|window|policy|period|guarantee|limit|exchange)`,
  `(?:plazo|prazo|delai|termine|periodo|frist|ruckgabefrist|period|window)(?: (?:de|del|di|du|da|do|para|pour|per|for|der|a|le|la|o|il) ?(?:la |el |le |o |il )?\\p{L}+| \\p{L}+){0,2} (?:is|es|est|isv|betragt|ist|sera|sara)(?: de| di)? (${COUNT}) (${UNITS})(?!\\p{L})`,
  `(?:(?:gives?|leaves?|grants?) you|(?:puede|puedes|pode|puo|puoi|pouvez|peuvent|konnen|durfen|can|may) .{0,60}(?:durante|pendant|por|per|for)) (?:up to |hasta |ate |fino a )?(${COUNT}) (${UNITS})(?!\\p{L})`,
  `(?<!\\p{L})(${COUNT}) (${UNITS})(?: zeit| de tiempo| de tempo| di tempo)? (?:lang|to (?:return|send|bring|give)|zum|fur die|pour (?:le|la|les|l'|vous|\\p{L}+er)|para (?:\\p{L}+[aei]r)|per (?:\\p{L}+[aei]re|il|la))(?!\\p{L})`,
  `(?:you (?:have|get)|(?:window|period|limit|frist|ruckgaberecht|ruckgabefrist|delai|plazo|prazo|termine|periodo) (?:is|are|of|von|betragt|ist|est(?: de)?|de|isv(?: de| di)?|es(?: de)?|di)|sie haben|vous avez|vous disposez de|tiene|tienes|dispone de|tem|ha|hai) (${COUNT}) (${UNITS})(?!\\p{L})`,
].map((source) => new RegExp(source, "gu"));
/** How long ago, how old, how long money takes to show: no limit. */
const NO_WINDOW = /(?:ago|old|seit|alt|her|il y a|depuis|hace|desde hace|ha|atras|fa|since)$/u;
const MONEY_TRAVELS =
  /(?:statement|bank|show|appear|process(?:ed|ing)|kontoauszug|kontoauszuge|konto|releve|banque|extracto|banco|cuenta|extrato|conta|estratto conto|banca|conto|arrive|deliver|ship|lieferung|livraison|entrega|consegna)/u;

const CURRENCY = "(?:€|\\$|£|us\\$|usd|eur|gbp|euros?|dollars?|dolares|dollari|reais|pounds?)";
const FIGURE = "\\d[\\d.,' ]{0,18}\\d|\\d";
const AMOUNT = `(?:${CURRENCY} ?(${FIGURE})|(?<![\\d.,])(${FIGURE}) ?${CURRENCY}(?!\\p{L}))`;
const CAPS: readonly RegExp[] = [
  `(?:up to|at most|maximum(?: of)?|max\\.?|no more than|not more than|limit(?: is| of)?|as much as|less than|under|below|above|over|more than|exceed(?:s|ing)?|bis zu|hochstens|maximal|uber|unter|ab|mehr als|grenze von|limit von|jusqu'a|au maximum|maximum de|au-dessus de|au-dela de|plus de|moins de|hasta|como maximo|maximo de|mas de|menos de|superiores? a|limite (?:es|de|isv)(?: de)?|ate|no maximo|maximo de|acima de|mais de|abaixo de|fino a|al massimo|massimo di|oltre|sopra(?: i)?|sotto(?: i)?|piu di|meno di|limite di) ?(?:di |de |von |the )?${AMOUNT}`,
  `${AMOUNT} (?:is|are|ist|est|es|isv) (?:the|our|my|die|das|unsere?|notre|la|le|el|nuestro|o|nosso|il|nostro)? ?(?:maximum|limit|cap|hochstbetrag|grenze|plafond|limite|maximo|massimo)`,
].map((source) => new RegExp(source, "gu"));

const DENIED =
  /(?<!\p{L})(?:not|no longer|isn't|never|nicht|kein\p{L}*|pas|no|nao|non)(?!\p{L})[^,;]{0,24}$/u;

/** Every limit that the text states, whether right or wrong. */
export const limitsStated: (text: string) => readonly StatedLimit[] = keepingLatest(
  readLimits,
  LIMITS.keptJudgedTexts,
);

function readLimits(text: string): readonly StatedLimit[] {
  const found: StatedLimit[] = [];
  let about = false;
  for (const sentence of sentencesOf(folded(text).text)) {
    const plain = unaccented(sentence);
    // "Returns are easy. You have 45 days." goes on about the same.
    about =
      ABOUT.test(plain) || (about && !/^\W*(?:order|bestell|commande|pedido|encomenda|ordine)/u.test(plain));
    if (!about || plain.endsWith("?")) continue;
    for (const pattern of WINDOWS) {
      for (const match of everyMatch(plain, pattern)) {
        const [whole, count = "", unit = ""] = match;
        const rest = plain.slice(match.index + whole.length);
        if (NO_WINDOW.test(plain.slice(0, match.index).trimEnd()) || /^ (?:ago|old|alt|fa|atras)/u.test(rest))
          continue;
        if (MONEY_TRAVELS.test(plain) && !ABOUT_WINDOW.test(plain)) continue;
        if (DENIED.test(plain.slice(0, match.index))) continue;
        const days = (NUMBER_WORDS[count] ?? Number(count)) * daysOf(unit);
        found.push({ kind: "days", value: String(days), sentence });
      }
    }
    for (const pattern of CAPS) {
      for (const match of everyMatch(plain, pattern)) {
        const value = plainDecimal(match[1] ?? match[2] ?? "");
        if (value === null || DENIED.test(plain.slice(0, match.index))) continue;
        found.push({ kind: "amount", value, sentence });
      }
    }
  }
  return found;
}

/** A sentence about how long money takes may still state a window. */
const ABOUT_WINDOW =
  /(?:window|period|of delivery|after delivery|of purchase|policy|frist|nach lieferung|nach erhalt|nach der lieferung|apres la livraison|de la livraison|apres reception|de la entrega|desde la entrega|da entrega|apos a entrega|dalla consegna|can be (?:returned|refunded)|send (?:it|them) back|zurucksenden|zuruckgeben|renvoyer|retourner|devolver|restituire|rendere)/u;

const daysOf = (unit: string): number => UNIT_DAYS.find(([name]) => name.test(unit))?.[1] ?? 1;

/** The first limit that the policy does not state, or null. `shown`: amounts of the customer's own orders. */
export function contradicts(
  stated: readonly StatedLimit[],
  policy: PolicyNumbers,
  shown: ReadonlySet<string>,
): StatedLimit | null {
  return (
    stated.find(({ kind, value }) =>
      kind === "days"
        ? !policy.days.includes(Number(value))
        : !policy.amounts.includes(value) && !shown.has(value),
    ) ?? null
  );
}

/** `1,000.50`, `1.000,50`, `100.00` as `1000.5`, `1000.5`, `100`; null when it is no number. */
export function plainDecimal(text: string): string | null {
  const compact = text.replace(/[' ]/g, "");
  const decimals = /[.,](\d{1,3})$/.exec(compact);
  const isGroup = decimals !== null && decimals[1]?.length === 3 && !/^0[.,]/.test(compact);
  const whole = decimals === null || isGroup ? compact : compact.slice(0, decimals.index);
  const digits = whole.replace(/[.,]/g, "");
  if (!/^\d{1,15}$/.test(digits)) return null;
  const rest = decimals === null || isGroup ? "" : (decimals[1] as string).replace(/0+$/, "");
  return `${digits.replace(/^0+(?=\d)/, "")}${rest === "" ? "" : `.${rest}`}`;
}
