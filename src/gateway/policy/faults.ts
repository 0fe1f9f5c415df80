/** What is wrong with a policy document, where, and how to put it right. */

/** 1-based; `column` counts UTF-16 units, null where a whole line or something missing is meant. */
export interface Place {
  readonly line: number;
  readonly column: number | null;
}

export interface PolicyFault extends Place {
  readonly message: string;
  readonly fix: string;
}

export type Report = (place: Place, message: string, fix: string) => void;

/** The place of an offset in `text`, whose first character stands at `first`. */
export function placeIn(text: string, offset: number, first: Place): Place {
  const before = text.slice(0, Math.max(0, offset));
  const lastBreak = before.lastIndexOf("\n");
  return {
    line: first.line + before.split("\n").length - 1,
    column: lastBreak === -1 ? (first.column ?? 1) + before.length : before.length - lastBreak,
  };
}

/** In reading order, each once. */
export function inOrder(faults: readonly PolicyFault[]): PolicyFault[] {
  const seen = new Set<string>();
  return [...faults]
    .sort((a, b) => a.line - b.line || (a.column ?? 0) - (b.column ?? 0))
    .filter(({ line, column, message }) => {
      const key = `${line}:${column}:${message}`;
      return !seen.has(key) && seen.add(key);
    });
}

/** `file:12:5`, as editors and terminals link it. */
export const spotOf = (name: string, { line, column }: Place): string =>
  column === null ? `${name}:${line}` : `${name}:${line}:${column}`;
