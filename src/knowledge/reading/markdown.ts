/** Markdown (CommonMark with tables) as blocks. Raw HTML in it is hidden text: it is not shown, and not answered. */
import type { Nodes, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { type Block, heading, plain, type ReadDocument } from "./blocks.ts";

/** @throws ProblemError `document_unreadable` when it nests too deep */
export function readMarkdown(source: string): ReadDocument {
  if (nestsTooDeep(source)) {
    throw new ProblemError("document_unreadable", "Lists or quotes in the document nest too deep.");
  }
  const blocks: Block[] = [];
  const hidden: string[] = [];
  const tree = fromMarkdown(source, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  const visit = (node: Nodes, mark: string): void => {
    switch (node.type) {
      case "heading":
        blocks.push(heading(node.depth, textOf(node)));
        return;
      case "paragraph": {
        const text = plain(textOf(node));
        if (text !== "") blocks.push({ kind: "text", text: mark + text });
        return;
      }
      case "code": {
        const text = plain(node.value);
        if (text !== "") blocks.push({ kind: "text", text });
        return;
      }
      case "table":
        blocks.push(tableOf(node));
        return;
      case "html":
        hidden.push(plain(node.value.replace(/^<!--|-->$/g, "")));
        return;
      case "listItem":
        for (const [index, child] of node.children.entries()) visit(child, index === 0 ? "• " : "");
        return;
      default:
        if ("children" in node) for (const child of node.children) visit(child, mark);
    }
  };
  visit(tree, "");
  return { blocks, hidden: hidden.filter((text) => text !== "") };

  function tableOf(table: Table): Block {
    const [header = [], ...rows] = table.children.map((row) =>
      row.children.map((cell) => plain(textOf(cell))),
    );
    const last = blocks.at(-1);
    const caption = last?.kind === "text" && last.text.endsWith(":") ? last.text : null;
    if (caption !== null) blocks.pop();
    return { kind: "table", caption, header, rows };
  }
}

/** The text that is shown; of an image its description, of a link its words. */
function textOf(node: Nodes): string {
  if (node.type === "text" || node.type === "inlineCode" || node.type === "code") return node.value;
  if (node.type === "image") return node.alt ?? "";
  if (node.type === "break") return " ";
  return "children" in node ? node.children.map(textOf).join("") : "";
}

/** Looked at before parsing: the parser's tree is walked by recursion. */
function nestsTooDeep(source: string): boolean {
  for (const line of source.split("\n")) {
    const marks = /^[\s>*+\-\d.)]*/.exec(line)?.[0] ?? "";
    const depth =
      (marks.match(/[>*+-]|\d[.)]/g)?.length ?? 0) + Math.floor(marks.replace(/\S/g, "").length / 2);
    if (depth > LIMITS.documentNesting && !/^[\s*\-_]*$/.test(line)) return true;
    if ((line.match(/[[(*_]/g)?.length ?? 0) > 20 * LIMITS.documentNesting) return true;
  }
  return false;
}
