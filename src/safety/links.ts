/**
 * Links and markup in a text that is to be shown as plain text: a link leads only where the merchant said,
 * or is the very link that a carrier gave for this customer's parcel; nothing in it can run. Pure, linear.
 */
const URL_LIKE = /(?<![\p{L}\p{N}@])(?:https?|ftp|wss?|file):\/{0,3}[^\s<>"'`)\]}]{1,2000}/giu;
/** TLDs that are no words of the six languages, so that "back.In" is no link. */
const TLDS =
  "com|net|org|info|biz|io|co|dev|app|shop|store|online|site|website|xyz|top|club|live|link|click|ru|cn|uk|eu|ch|nl|pl|jp|kr|br|mx|au|ca|us|tk|ml|ga|cf|gq|zip|mov|ly|gl|cc|tv|ai|example|test|invalid|onion|support|help|money|pay|finance|cloud|page|pages|de|fr";
const BARE = new RegExp(
  String.raw`(?<![\p{L}\p{N}@._/-])(?:www\.[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,5}|[\p{L}\p{N}_-]{2,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,4}\.(?:${TLDS}))(?![\p{L}\p{N}@_-])(?:[/?#][^\s<>"'\x60)\]}]{0,2000})?|(?<![\p{L}\p{N}@._/-])[\p{L}\p{N}_-]{2,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,3}\.[a-z]{2,10}/[^\s<>"'\x60)\]}]{1,2000}|(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?:[:/][^\s<>"']{0,200})`,
  "giu",
);

const MARKUP: readonly RegExp[] = [
  /<(?:\/?[a-z][a-z0-9-]*(?:[\s/>]|$)|!--|!doctype|\?xml|!\[cdata)/i,
  /(?:javascript|vbscript|livescript)\s*:|data\s*:\s*(?:text\/html|image\/svg|application\/)/i,
  /!\[[^\]\n]{0,300}\]\s?[([]/,
  /^\s{0,3}\[[^\]\n]{1,200}\]:\s*\S/m,
  /&#x?[0-9a-f]{1,7};|&(?:lt|gt|quot|colon|tab|newline);/i,
  /\]\(\s*(?:javascript|data|vbscript)/i,
  /\{\{.{0,200}\}\}|\$\{.{0,200}\}|<%|%>/,
  /(?<![\p{L}])on(?:error|load|click|mouseover|focus|toggle|begin)\s*=/iu,
];
/** Overrides of the direction of writing: they show another text than they are. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/;

export interface LinkFound {
  readonly url: string;
  readonly start: number;
  readonly end: number;
}

export function linksIn(text: string): readonly LinkFound[] {
  const found: LinkFound[] = [];
  for (const pattern of [URL_LIKE, BARE]) {
    for (const match of text.matchAll(pattern)) {
      const url = match[0].replace(/[.,;:!?…]+$/u, "");
      const [start, end] = [match.index, match.index + url.length];
      if (!found.some((other) => start < other.end && other.start < end)) found.push({ url, start, end });
    }
  }
  return found;
}

/** The host that a browser would go to; null when it would not, or would not ask a web server. */
export function hostOf(link: string): string | null {
  try {
    const url = new URL(/^[a-z]+:/i.test(link) ? link : `https://${link}`);
    if (url.protocol !== "https:" && url.protocol !== "http:") return null;
    if (url.username !== "" || url.password !== "") return null;
    return url.hostname.replace(/\.$/, "");
  } catch {
    return null;
  }
}

/** True when the link's host is one of `hosts` or below one. */
export function leadsTo(link: string, hosts: readonly string[]): boolean {
  const host = hostOf(link);
  return host !== null && hosts.some((allowed) => host === allowed || host.endsWith(`.${allowed}`));
}

/** The first thing in a text that a channel might run or draw, or null. `raw` is before folding. */
export function markupIn(text: string, raw = text): string | null {
  for (const pattern of MARKUP) {
    const match = pattern.exec(text);
    if (match !== null) return match[0];
  }
  return OVERRIDES.test(raw) ? "direction override" : null;
}

/** An answer that is a program's and not a person's: JSON, or a fenced block of it. */
export function isNoProse(text: string): boolean {
  const trimmed = text
    .trim()
    .replace(/^```\w*\s*|\s*```$/g, "")
    .trim();
  if (!/^[[{]/.test(trimmed) || !/[\]}]$/.test(trimmed))
    return /<\/?(?:tool_call|function|thinking|think|system)\b/i.test(text);
  try {
    return typeof JSON.parse(trimmed) === "object";
  } catch {
    return /^[[{]\s*["'[{]/.test(trimmed);
  }
}
