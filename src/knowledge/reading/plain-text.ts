/** Plain text as blocks: paragraphs between empty lines; a short line alone, or one underlined, is a heading. */
import { type Block, heading, plain, type ReadDocument } from "./blocks.ts";

const LONGEST_HEADING = 90;

export function readPlainText(source: string): ReadDocument {
  const blocks: Block[] = [];
  for (const paragraph of source.split(/\r?\n[ \t]*(?:\r?\n[ \t]*)+/)) {
    const lines = paragraph.split(/\r?\n/).filter((line) => line.trim() !== "");
    const [first = "", second = ""] = lines;
    if (lines.length === 0) continue;
    if (lines.length === 2 && /^\s*[=-]{3,}\s*$/.test(second)) {
      blocks.push(heading(second.includes("=") ? 1 : 2, first));
    } else if (lines.length === 1 && looksLikeHeading(first)) blocks.push(heading(2, first));
    else if (lines.some((line) => /^\s*(?:[-*•]|\d+[.)])\s/.test(line))) {
      for (const item of joinItems(lines)) blocks.push({ kind: "text", text: plain(item) });
    } else blocks.push({ kind: "text", text: plain(lines.join(" ")) });
  }
  return { blocks: blocks.filter((block) => block.kind === "table" || block.text !== ""), hidden: [] };
}

/** "What does shipping cost?", "RETURNS": no sentence that says something. */
function looksLikeHeading(line: string): boolean {
  const text = line.trim();
  return (
    text.length <= LONGEST_HEADING && /\p{L}/u.test(text) && (text.endsWith("?") || !/[.!:;,…"]$/.test(text))
  );
}

function joinItems(lines: readonly string[]): string[] {
  const items: string[] = [];
  for (const line of lines) {
    if (items.length === 0 || /^\s*(?:[-*•]|\d+[.)])\s/.test(line)) {
      items.push(line.replace(/^\s*[-*•]\s+/, "• "));
    } else items[items.length - 1] += ` ${line.trim()}`;
  }
  return items;
}
