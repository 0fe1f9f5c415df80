/**
 * Links in a text, written out, bare or in Markdown: one leads only where the merchant said, or is the very
 * link that a carrier gave for this customer's parcel. Pure, linear.
 */
import { everyMatch, folded } from "./reading.ts";

const URL_LIKE =
  /(?<![\p{L}\p{N}@])(?:(?:https?|hxxps?|ftp|wss?|file):\/{0,3}|[a-z][a-z0-9+.-]{1,20}:\/\/|\/\/(?=[\p{L}\p{N}-]{1,63}\.[a-z]{2,10}))[^\s<>"'`)\]}]{1,2000}/giu;
/** TLDs that are no words of the six languages, so that "back.In" is no link. */
const TLDS =
  "com|net|org|info|biz|io|co|dev|app|shop|store|online|site|website|xyz|top|club|live|link|click|ru|cn|uk|eu|ch|nl|pl|jp|kr|br|mx|au|ca|us|tk|ml|ga|cf|gq|zip|mov|ly|gl|cc|tv|ai|example|test|invalid|onion|support|help|money|pay|finance|cloud|page|pages|de|fr";
const BARE = new RegExp(
  String.raw`(?<![\p{L}\p{N}@._/-])(?:www\.[\p{L}\p{N}_-]{1,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,5}|[\p{L}\p{N}_-]{2,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,4}\.(?:${TLDS}))(?![\p{L}\p{N}@_-])(?:[/?#][^\s<>"'\x60)\]}]{0,2000})?|(?<![\p{L}\p{N}@._/-])[\p{L}\p{N}_-]{2,63}(?:\.[\p{L}\p{N}_-]{1,63}){0,3}\.[a-z]{2,10}/[^\s<>"'\x60)\]}]{1,2000}|(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?:[:/][^\s<>"']{0,200})`,
  "giu",
);

export interface LinkFound {
  readonly url: string;
  readonly start: number;
  readonly end: number;
}

/** Of a folded text (`reading.ts`), in no order; none overlaps another. */
export function linksIn(text: string): readonly LinkFound[] {
  const found: LinkFound[] = [];
  const taken = new Uint8Array(text.length);
  for (const pattern of [URL_LIKE, BARE]) {
    for (const match of everyMatch(text, pattern)) {
      const url = withoutEnd(match[0]);
      const [start, end] = [match.index, match.index + url.length];
      if (taken.subarray(start, end).includes(1)) continue;
      taken.fill(1, start, end);
      found.push({ url, start, end });
    }
  }
  return found;
}

/** Punctuation after a link belongs to its sentence. */
function withoutEnd(url: string): string {
  let end = url.length;
  while (end > 0 && ".,;:!?…".includes(url[end - 1] as string)) end -= 1;
  return url.slice(0, end);
}

/** The folded text with a space for each link. */
export function withoutLinks(text: string): string {
  const parts: string[] = [];
  let done = 0;
  for (const { start, end } of linksIn(text).toSorted((a, b) => a.start - b.start)) {
    parts.push(text.slice(done, start), " ");
    done = end;
  }
  return parts.join("") + text.slice(done);
}

/** Where a Markdown link leads, whatever it says. */
const TARGET = /\]\(\s{0,9}<?([^)\s>]{0,2000})/g;
/** The start of another address, in a link that may redirect to it. */
const EMBEDDED = /https?:[\\/]{1,3}[^\s&#]{1,300}/giu;
const RELATIVE = /[=?&#][\\/]{2}([^\\/?#&\s]{1,253})/gu;
/** As often as a redirect may be encoded before nobody decodes it any more. */
const DECODINGS = 3;

/** The first link that leads to none of `hosts` and is none of `links`, or null. `text` is as it will be shown. */
export function strayLinkIn(
  text: string,
  allowed: { readonly links: ReadonlySet<string>; readonly hosts: readonly string[] },
): string | null {
  const { text: plain, at } = folded(text);
  const fits = (url: string) => allowed.links.has(url) || leadsTo(url, allowed.hosts);
  for (const { url, start, end } of linksIn(plain)) {
    // A look-alike letter leads elsewhere: what is shown has to fit, not only what it looks like.
    if (!fits(url) || !fits(text.slice(at(start), at(end)))) return url;
  }
  for (const [, target = ""] of plain.matchAll(TARGET)) {
    if (target !== "" && !fits(withoutEnd(target))) return target;
  }
  return null;
}

/** The link as a browser would read it; null when it would not, or would not ask a web server. */
function urlOf(link: string): URL | null {
  try {
    const url = new URL(/^[a-z]+:/i.test(link) ? link : `https://${link}`);
    const isWeb = url.protocol === "https:" || url.protocol === "http:";
    return isWeb && url.username === "" && url.password === "" ? url : null;
  } catch {
    return null;
  }
}

/** True when the link's host is one of `hosts` or below one, and no other address is packed into it. */
export function leadsTo(link: string, hosts: readonly string[]): boolean {
  const url = urlOf(link);
  return url !== null && isOf(url.host, hosts) && embedded(url).every((host) => isOf(host, hosts));
}

function isOf(host: string, hosts: readonly string[]): boolean {
  const name = host.replace(/\.$/, "");
  return hosts.some((allowed) => name === allowed || name.endsWith(`.${allowed}`));
}

/** Hosts of addresses inside the link, as `?next=https://…` has one; "" for one that cannot be read. */
function embedded(url: URL): readonly string[] {
  const found: string[] = [];
  let rest = `${url.pathname}${url.search}${url.hash}`;
  for (let round = 0; round < DECODINGS; round += 1) {
    found.push(
      ...[...rest.matchAll(EMBEDDED)].map(([inner]) => urlOf(inner)?.host ?? ""),
      ...[...rest.matchAll(RELATIVE)].map(([, host = ""]) => host),
    );
    const decoded = rest.replace(/%[0-9a-f]{2}/gi, (code) =>
      String.fromCharCode(Number.parseInt(code.slice(1), 16)),
    );
    if (decoded === rest) break;
    rest = decoded;
  }
  return found;
}
