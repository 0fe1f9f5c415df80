/** From bytes to blocks, by format; the readers themselves load when the first document of theirs comes. */
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { ReadDocument } from "./blocks.ts";
import type { DocumentFormat } from "./reader.ts";

/** @throws ProblemError with a `document_…` code */
export async function readInThisThread(bytes: Uint8Array, format: DocumentFormat): Promise<ReadDocument> {
  if (format === "pdf") return (await import("./pdf.ts")).readPdf(bytes);
  const source = decoded(bytes);
  if (source.length > LIMITS.documentChars * 2) throw new ProblemError("document_too_large");
  const read =
    format === "markdown"
      ? (await import("./markdown.ts")).readMarkdown(source)
      : format === "html"
        ? (await import("./html.ts")).readHtml(source)
        : (await import("./plain-text.ts")).readPlainText(source);
  const chars = read.blocks.reduce((sum, block) => sum + (block.kind === "table" ? 0 : block.text.length), 0);
  if (chars > LIMITS.documentChars) throw new ProblemError("document_too_large");
  if (read.blocks.length === 0) throw new ProblemError("document_empty");
  return read;
}

/** UTF-8 (or UTF-16 with its mark). Bytes that are no text are refused, not guessed at. */
function decoded(bytes: Uint8Array): string {
  const utf16 =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : null;
  let text: string;
  try {
    text = new TextDecoder(utf16 ?? "utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ProblemError("document_unreadable", "The document is not UTF-8 text.", { cause });
  }
  if (text.includes("\0")) throw new ProblemError("document_unreadable", "The document is not text.");
  return text;
}
