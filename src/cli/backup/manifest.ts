/**
 * What a backup is: a folder with `manifest.json` and what it names. Written last, so a folder without one is
 * no backup, only the start of one that was cut off.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { CliError } from "../command.ts";

export const MANIFEST = "manifest.json";

/** An audit chain's length and last hash: a chain that was cut at its end still holds, and only this shows it. */
const head = z.strictObject({
  tenant_id: z.string().min(1),
  entries: z.int().positive(),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

const manifest = z.strictObject({
  format: z.literal(1),
  /** Of the product that wrote it. */
  version: z.string(),
  made_at: z.iso.datetime(),
  database: z.strictObject({
    kind: z.enum(["embedded", "server"]),
    file: z.enum(["database.tar.gz", "database.dump"]),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  /** Names of the migrations that its schema has. */
  migrations: z.array(z.string().regex(/^[\w.]+$/)).min(1),
  audit: z.array(head),
  /** Whether `files/` holds the sandbox's shop and provider. */
  sandbox: z.boolean(),
});

export type AuditHead = z.infer<typeof head>;
export type Manifest = z.infer<typeof manifest>;

/**
 * Reads a backup's manifest and checks the archive against it.
 * @throws CliError when it is no backup, or its archive is not the one that was written
 */
export async function readBackup(folder: string): Promise<Manifest> {
  let read: unknown;
  try {
    read = JSON.parse(await readFile(join(folder, MANIFEST), "utf8"));
  } catch (cause) {
    throw new CliError(
      `${folder} is not a whole backup: its ${MANIFEST} cannot be read.`,
      "Give the folder that `recourse backup` wrote. It writes the manifest last: without one, that backup was cut off.",
      undefined,
      cause,
    );
  }
  const parsed = manifest.safeParse(read);
  if (!parsed.success) {
    throw new CliError(
      `The ${MANIFEST} in ${folder} is not one that this version reads.`,
      "Restore with the version that wrote it, or a newer one.",
    );
  }
  const { file, sha256 } = parsed.data.database;
  const found = await fileHash(join(folder, file)).catch(() => "none");
  if (found !== sha256) {
    throw new CliError(
      `${file} in ${folder} is not the file that was backed up (its SHA-256 differs).`,
      "It was changed or not copied whole. Take another copy of this backup, or an earlier one.",
    );
  }
  return parsed.data;
}

/** SHA-256 of a file, in hex. */
export async function fileHash(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
