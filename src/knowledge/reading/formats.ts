/** From bytes to blocks, by format; the readers themselves load when the first document of theirs comes. */
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { ReadDocument } from "./blocks.ts";
import type { DocumentFormat } from "./reader.ts";

/** @throws ProblemError with a `document_…` code */
export async function readInThisThread(bytes: Uint8Array, format: DocumentFormat): Promise<ReadDocument> {
  refuseOtherFormat(bytes, format);
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: what text has next to none of
const CONTROLS = /[\u0001-\u0008\u000e-\u001f\u007f]/g;

const NAMES = { pdf: "a PDF", html: "HTML", zip: "a ZIP file, as word processors write" } as const;

/** What a file begins with says what it is, whatever its name says. */
function refuseOtherFormat(bytes: Uint8Array, format: DocumentFormat): void {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1_024))
    .toString("latin1")
    .trimStart();
  const found = start.startsWith("%PDF-")
    ? "pdf"
    : start.startsWith("PK\u0003\u0004")
      ? "zip"
      : /^(?:\u00ef\u00bb\u00bf)?<(?:!doctype html|html|head|body)\b/i.test(start)
        ? "html"
        : null;
  if (found === null || found === format) return;
  throw new ProblemError("document_unreadable", `The file is ${NAMES[found]}, whatever its name says.`);
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
  const controls = text.match(CONTROLS)?.length ?? 0;
  if (text.includes("\0") || controls > text.length / 100) {
    throw new ProblemError("document_unreadable", "The document is not text.");
  }
  return text;
}
