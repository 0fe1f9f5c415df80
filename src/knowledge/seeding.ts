/** The documents of a folder, as files with front matter: what a tenant starts with. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { ProblemError } from "../kernel/errors.ts";
import { LANGUAGES } from "../kernel/language.ts";
import type { DocumentDetails } from "./documents.ts";
import type { DocumentFormat } from "./reading/reader.ts";
import { effectiveInstant } from "./when.ts";

export interface DocumentFile {
  readonly tenant: string;
  /** When it takes effect depends on the tenant's time zone. */
  details(timeZone: string): DocumentDetails;
  readonly format: DocumentFormat;
  readonly bytes: Uint8Array;
}

const frontMatter = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,63}$/),
  tenant: z.string().min(1),
  kind: z.enum(["policy", "faq", "product", "resolved_case"]),
  language: z.enum(LANGUAGES),
  version: z.string().min(1).max(64),
  title: z.string().min(1).max(200),
  audience: z.enum(["customer", "operator"]).default("customer"),
  effective_from: z.string(),
  effective_until: z.string().optional(),
});

/**
 * Every Markdown document of a folder.
 * @throws ProblemError `document_invalid` that names the file and the field
 */
export async function loadKnowledgeFiles(folder: string): Promise<readonly DocumentFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".md")).sort();
  return Promise.all(
    names.map(async (name) => documentFile(name, await readFile(join(folder, name), "utf8"))),
  );
}

function documentFile(name: string, source: string): DocumentFile {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n([\s\S]*)$/.exec(source);
  if (match === null)
    throw new ProblemError("document_invalid", `${name}: it does not begin with front matter.`);
  const parsed = frontMatter.safeParse(parse(match[1] ?? "", { schema: "failsafe" }));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ProblemError("document_invalid", `${name}: ${issue?.path.join(".")}: ${issue?.message}`);
  }
  const { id, tenant, effective_from, effective_until, ...rest } = parsed.data;
  return {
    tenant,
    format: "markdown",
    bytes: Buffer.from(match[2] ?? "", "utf8"),
    details: (timeZone) => ({
      ...rest,
      documentId: id,
      effectiveFromMs: effectiveInstant(effective_from, timeZone),
      effectiveUntilMs: effective_until === undefined ? null : effectiveInstant(effective_until, timeZone),
    }),
  };
}
