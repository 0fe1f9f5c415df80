/** JSON text looked at before, or beside, what `JSON.parse` makes of it. Pure, linear. */

/** Deepest nesting of brackets outside strings. */
export function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) i = endOfString(text, i);
    else if (char === OPEN_BRACE || char === OPEN_BRACKET) deepest = Math.max(deepest, ++depth);
    else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) depth -= 1;
  }
  return deepest;
}

/** The first key that an object of valid JSON text has twice, compared as JSON reads it. */
export function repeatedKey(text: string): string | null {
  // One entry a level: the keys seen of an object, or null for an array.
  const levels: (Set<string> | null)[] = [];
  let keyNext = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (char === QUOTE) {
      const end = endOfString(text, i);
      const keys = levels.at(-1);
      if (keyNext && keys) {
        const key = JSON.parse(text.slice(i, end + 1)) as string;
        if (keys.has(key)) return key;
        keys.add(key);
        keyNext = false;
      }
      i = end;
    } else if (char === OPEN_BRACE) {
      levels.push(new Set());
      keyNext = true;
    } else if (char === OPEN_BRACKET) {
      levels.push(null);
    } else if (char === CLOSE_BRACE || char === CLOSE_BRACKET) {
      levels.pop();
      keyNext = false;
    } else if (char === COMMA) {
      keyNext = levels.at(-1) !== null;
    }
  }
  return null;
}

/** Index of the quote that closes the string which opens at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i += 1) {
    const char = text.charCodeAt(i);
    if (char === BACKSLASH) i += 1;
    else if (char === QUOTE) return i;
  }
  return text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
