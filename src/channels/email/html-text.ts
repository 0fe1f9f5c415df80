/** The text of a mail that has HTML only, within limits of size, depth and children. Pure. */
import { convert } from "html-to-text";
import { LIMITS } from "../../kernel/limits.ts";

const DEPTH_MAX = 200;
const CHILDREN_MAX = 10_000;

export function htmlText(html: string): string {
  return convert(html.slice(0, LIMITS.mailHtmlChars), {
    wordwrap: false,
    limits: { maxInputLength: LIMITS.mailHtmlChars, maxDepth: DEPTH_MAX, maxChildNodes: CHILDREN_MAX },
    selectors: [
      { selector: "img", format: "skip" },
      // What a link says is what was written; where it leads is nothing to read.
      { selector: "a", options: { ignoreHref: true } },
    ],
  });
}
