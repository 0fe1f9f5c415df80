/** docs/quality.md: one section a set, replaced by each `npm run evals -- NAME --write`; the rest stays. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { printed, type Table } from "./report.ts";

const PAGE = new URL("../docs/quality.md", import.meta.url);

export function writeQualityPage(set: string, tables: readonly Table[]): void {
  const begin = `<!-- ${set}: written by \`npm run evals -- ${set} --write\` -->`;
  const end = `<!-- end of ${set} -->`;
  const section = [
    begin,
    `## ${set[0]?.toUpperCase()}${set.slice(1)}`,
    "",
    `Measured on ${new Date().toISOString().slice(0, 10)} at ${commit()}, on ${machine()}.`,
    "",
    ...tables.map((table) => printed(table, 3)),
    end,
  ].join("\n");
  const page = readFileSync(PAGE, "utf8");
  const from = page.indexOf(`<!-- ${set}:`);
  const to = page.indexOf(end);
  writeFileSync(
    PAGE,
    from < 0 || to < 0
      ? `${page.trimEnd()}\n\n${section}\n`
      : page.slice(0, from) + section + page.slice(to + end.length),
  );
}

function commit(): string {
  const git = (...words: string[]) => execFileSync("git", words, { encoding: "utf8" }).trim();
  const changed = git("status", "--porcelain", "--untracked-files=no", "--", ":!docs/quality.md") !== "";
  return `commit ${git("rev-parse", "--short", "HEAD")}${changed ? ", with changes to it" : ""}`;
}

const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown processor"}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
