/** HTML as blocks. What a browser would not show is not text of the document; it is looked at, not answered. */
import { type DefaultTreeAdapterMap, parse } from "parse5";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { type Block, heading, plain, type ReadDocument } from "./blocks.ts";

type Node = DefaultTreeAdapterMap["node"];
type Element = DefaultTreeAdapterMap["element"];

const SILENT = new Set([
  "script",
  "style",
  "template",
  "noscript",
  "svg",
  "math",
  "iframe",
  "object",
  "head",
  "nav",
  "footer",
  "form",
  "button",
  "select",
  "textarea",
  "audio",
  "video",
  "canvas",
]);
const BREAKS = new Set([
  "p",
  "div",
  "section",
  "article",
  "main",
  "aside",
  "header",
  "ul",
  "ol",
  "dl",
  "dt",
  "dd",
  "blockquote",
  "pre",
  "figure",
  "figcaption",
  "details",
  "summary",
  "address",
  "hr",
  "br",
  "body",
  "html",
]);

/** @throws ProblemError `document_unreadable` when it nests too deep */
export function readHtml(source: string): ReadDocument {
  const blocks: Block[] = [];
  const hidden: string[] = [];
  let line = "";
  let mark = "";
  const flush = (): void => {
    const text = plain(line);
    if (text !== "") blocks.push({ kind: "text", text: mark + text });
    line = "";
    mark = "";
  };
  // A stack of our own: the tree may be as deep as an attacker likes.
  type Task = { readonly node: Node; readonly depth: number } | { readonly close: true };
  const tasks: Task[] = [{ node: parse(source), depth: 0 }];
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    if ("close" in task) {
      flush();
      continue;
    }
    const { node, depth } = task;
    if (depth > LIMITS.documentNesting) {
      throw new ProblemError("document_unreadable", "Elements of the document nest too deep.");
    }
    if (node.nodeName === "#comment") hidden.push(plain((node as { data: string }).data));
    else if (node.nodeName === "#text") line += (node as { value: string }).value;
    else if (isElement(node)) {
      if (SILENT.has(node.tagName)) continue;
      if (isHidden(node)) {
        hidden.push(plain(allText(node)));
        continue;
      }
      const level = /^h([1-6])$/.exec(node.tagName)?.[1];
      if (level !== undefined) {
        flush();
        const text = shownText(node, hidden);
        if (plain(text) !== "") blocks.push(heading(Number(level), text));
        continue;
      }
      if (node.tagName === "table") {
        flush();
        const table = tableOf(node, hidden);
        if (table !== null) blocks.push(table);
        continue;
      }
      if (node.tagName === "li") {
        flush();
        mark = "• ";
        tasks.push({ close: true });
      } else if (BREAKS.has(node.tagName)) {
        // The first paragraph of an item keeps the item's mark.
        if (plain(line) !== "") flush();
        tasks.push({ close: true });
      }
    }
    if ("childNodes" in node) {
      for (const child of [...node.childNodes].reverse()) tasks.push({ node: child, depth: depth + 1 });
    }
  }
  flush();
  return { blocks, hidden: hidden.filter((text) => text !== "") };
}

const isElement = (node: Node): node is Element => "tagName" in node;

function isHidden(element: Element): boolean {
  return element.attrs.some(
    ({ name, value }) =>
      name === "hidden" ||
      (name === "aria-hidden" && value === "true") ||
      (name === "style" &&
        /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?![.\d]*[1-9])|color\s*:\s*(?:#fff(?:fff)?\b|white|transparent)|(?:left|top|text-indent)\s*:\s*-\d{3,}/i.test(
          value,
        )),
  );
}

/** All text of an element, shown or not. */
const allText = (root: Node): string => textOf(root, null);

/** The text that is shown; what is not goes to `hidden`. */
const shownText = (root: Node, hidden: string[]): string => textOf(root, hidden);

function textOf(root: Node, hidden: string[] | null): string {
  let text = "";
  const open: Node[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeName === "#text") text += (node as { value: string }).value;
    else if (isElement(node) && SILENT.has(node.tagName)) continue;
    else if (hidden !== null && node.nodeName === "#comment")
      hidden.push(plain((node as { data: string }).data));
    else if (hidden !== null && node !== root && isElement(node) && isHidden(node))
      hidden.push(plain(allText(node)));
    else if ("childNodes" in node) {
      open.push(...[...node.childNodes].reverse());
      // Cells and lines are words apart.
      if (isElement(node) && (BREAKS.has(node.tagName) || /^(?:t[hdr]|li)$/.test(node.tagName))) text += " ";
    }
  }
  return text;
}

function tableOf(table: Element, hidden: string[]): Block | null {
  let caption: string | null = null;
  const rows: string[][] = [];
  const open: Node[] = [table];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.nodeName === "#comment") hidden.push(plain((node as { data: string }).data));
    if (!isElement(node)) continue;
    if (isHidden(node)) hidden.push(plain(allText(node)));
    else if (node.tagName === "caption") caption = plain(shownText(node, hidden));
    else if (node.tagName === "tr") {
      rows.push(
        node.childNodes
          .filter((cell): cell is Element => isElement(cell) && /^t[hd]$/.test(cell.tagName))
          .map((cell) => {
            if (!isHidden(cell)) return plain(shownText(cell, hidden));
            hidden.push(plain(allText(cell)));
            return "";
          }),
      );
    } else open.push(...[...node.childNodes].reverse());
  }
  const [header, ...rest] = rows;
  return header === undefined ? null : { kind: "table", caption, header, rows: rest };
}
