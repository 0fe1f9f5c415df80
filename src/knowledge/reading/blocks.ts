/** What every reader of documents makes: the text as blocks in order, without markup. */

export type Block =
  | {
      readonly kind: "heading";
      /** 1 is the document's title. */
      readonly depth: number;
      readonly text: string;
      /** `{#refund.window}` at its end: the ID of a clause. */
      readonly id: string | null;
    }
  /** A paragraph, or one item of a list with its mark. */
  | { readonly kind: "text"; readonly text: string }
  | {
      readonly kind: "table";
      readonly caption: string | null;
      readonly header: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

export interface ReadDocument {
  readonly blocks: readonly Block[];
  /** Text that a person who looks at the document does not see: comments, hidden elements. */
  readonly hidden: readonly string[];
}

/** One line of text: white space collapsed, control and invisible direction characters dropped. */
export function plain(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, (char) => (/\s/.test(char) ? " " : ""))
    .replace(/\s+/g, " ")
    .trim();
}

/** A heading with its clause ID split off. */
export function heading(depth: number, raw: string): Block {
  const match = /^(.*?)\s*\{#([a-z0-9][a-z0-9.-]{0,63})\}\s*$/.exec(raw);
  return { kind: "heading", depth, text: plain(match?.[1] ?? raw), id: match?.[2] ?? null };
}
