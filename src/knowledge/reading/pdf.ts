/**
 * PDF as blocks: its text layer, page by page, lines joined to paragraphs. Runs in the reader's thread only.
 * Pages are read one at a time, so that a page more than the limit costs nothing.
 */
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { type Block, heading, plain, type ReadDocument } from "./blocks.ts";

interface Line {
  text: string;
  readonly y: number;
  readonly size: number;
}

/** @throws ProblemError `document_encrypted`, `document_unreadable`, `document_too_large`, `document_empty` */
export async function readPdf(bytes: Uint8Array): Promise<ReadDocument> {
  const { getDocumentProxy } = await import("unpdf");
  let pdf: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    // No fonts, no scripts, no network: text only.
    pdf = await getDocumentProxy(bytes, {
      disableFontFace: true,
      useSystemFonts: false,
      stopAtErrors: true,
      verbosity: 0,
    });
  } catch (cause) {
    const { name = "" } = cause as { name?: string };
    if (name === "PasswordException") throw new ProblemError("document_encrypted", undefined, { cause });
    throw new ProblemError("document_unreadable", "The file is not a PDF, or it is damaged.", { cause });
  }
  try {
    if (pdf.numPages > LIMITS.documentPages) {
      throw new ProblemError("document_too_large", `The PDF has ${pdf.numPages} pages.`);
    }
    const lines: Line[] = [];
    let chars = 0;
    for (let number = 1; number <= pdf.numPages; number += 1) {
      for (const line of await linesOf(pdf, number)) {
        chars += line.text.length;
        if (chars > LIMITS.documentChars) throw new ProblemError("document_too_large");
        lines.push(line);
      }
    }
    if (chars === 0) throw new ProblemError("document_empty");
    return { blocks: blocksOf(lines), hidden: [] };
  } finally {
    await pdf.loadingTask.destroy().catch(() => {});
  }
}

interface PdfPages {
  getPage(
    n: number,
  ): Promise<{ getTextContent(): Promise<{ items: readonly unknown[] }>; cleanup(): unknown }>;
}

async function linesOf(pdf: PdfPages, number: number): Promise<Line[]> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const lines: Line[] = [];
    for (const item of items) {
      const { str, transform, height } = item as { str?: string; transform?: number[]; height?: number };
      if (typeof str !== "string" || transform === undefined) continue;
      const y = transform[5] ?? 0;
      const last = lines.at(-1);
      if (last !== undefined && Math.abs(last.y - y) < 2) last.text += str;
      else if (str.trim() !== "") lines.push({ text: str, y, size: height || Math.abs(transform[3] ?? 0) });
    }
    page.cleanup();
    return lines;
  } catch (cause) {
    throw new ProblemError("document_unreadable", `Page ${number} of the PDF is damaged.`, { cause });
  }
}

/** Larger letters than most are headings; a gap larger than most, or an item's mark, begins a paragraph. */
function blocksOf(lines: readonly Line[]): Block[] {
  const body = median(lines.map(({ size }) => size));
  const gap = median(lines.slice(1).map((line, index) => Math.abs((lines[index]?.y ?? 0) - line.y)));
  const blocks: Block[] = [];
  let paragraph = "";
  const flush = () => {
    const text = plain(paragraph);
    if (text !== "") blocks.push({ kind: "text", text });
    paragraph = "";
  };
  for (const [index, line] of lines.entries()) {
    const text = plain(line.text);
    const before = lines[index - 1];
    if (line.size > body * 1.12 && text.length <= 150) {
      flush();
      blocks.push(heading(line.size > body * 1.6 ? 1 : 2, text));
      continue;
    }
    const apart = before !== undefined && Math.abs(before.y - line.y) > gap * 1.4;
    const item = /^(?:[•\-–*]|\d{1,3}[.)])\s/.test(text);
    if (apart || item) flush();
    if (text.endsWith("?") && text.length <= 120 && paragraph === "") blocks.push(heading(3, text));
    else paragraph = paragraph.endsWith("-") ? paragraph.slice(0, -1) + text : `${paragraph} ${text}`;
  }
  flush();
  return blocks;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
