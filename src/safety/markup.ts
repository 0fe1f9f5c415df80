/** What a channel might run or draw instead of showing it, and what is a program's answer and no person's. Pure, linear. */
const MARKUP: readonly RegExp[] = [
  /<(?:\/?[a-z][a-z0-9-]*(?:[\s/>]|$)|!--|!doctype|\?xml|!\[cdata)/i,
  // A browser reads over a tab or a line break in the name.
  /(?:j[\t\n]{0,2}a[\t\n]{0,2}v[\t\n]{0,2}a[\t\n]{0,2}script|vbscript|livescript)\s{0,9}:|data\s{0,9}:\s{0,9}(?:text\/html|image\/svg|application\/)/i,
  /!\[[^\]\n]{0,300}\]\s?[([]/,
  /^[ \t]{0,3}\[[^\]\n]{1,200}\]:[ \t]{0,9}\S/m,
  /&#x?[0-9a-f]{1,7};|&(?:lt|gt|quot|colon|tab|newline);/i,
  /\{\{.{0,200}\}\}|\$\{.{0,200}\}|<%|%>/,
  /(?<![\p{L}])on(?:error|load|click|mouseover|focus|toggle|begin)\s{0,9}=/iu,
];
/** Overrides of the direction of writing: they show another text than they are. */
const OVERRIDES = /[\u202a-\u202e\u2066-\u2069]/;
/** A terminal obeys them: escape sequences, a bell, a carriage return over what was written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** The first such thing in a folded text, or null. `raw` is before folding. */
export function markupIn(text: string, raw = text): string | null {
  for (const pattern of MARKUP) {
    const match = pattern.exec(text);
    if (match !== null) return match[0];
  }
  if (OVERRIDES.test(raw)) return "direction override";
  return CONTROLS.test(raw.replaceAll("\r\n", "\n")) ? "control character" : null;
}

/** An answer that is a program's and not a person's: JSON or a fenced block, alone or amid prose. */
export function isNoProse(text: string): boolean {
  if (
    /<\/?(?:tool_call|function|thinking|think|system)\b|```|[{[]\s{0,9}["'][\w$-]{1,40}["']\s{0,9}:/i.test(
      text,
    )
  )
    return true;
  const inner = text
    .trim()
    .replace(/^```\w*/, "")
    .replace(/```$/, "")
    .trim();
  if (!/^[[{]/.test(inner) || !/[\]}]$/.test(inner)) return false;
  try {
    return typeof JSON.parse(inner) === "object";
  } catch {
    return /^[[{]\s{0,99}["'[{]/.test(inner);
  }
}
