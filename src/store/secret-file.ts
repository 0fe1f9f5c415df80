/** Secrets that this installation makes for itself: files in the data folder that only their owner may read. */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Random } from "../kernel/ports.ts";

/** 32 bytes in hex: read from the folder, or made there. Two processes that make it at once end with the same one. */
export function secretFile(folder: string, name: string, random: Random): string {
  const path = join(folder, name);
  const existing = readSecret(path);
  if (existing !== null) return existing;
  mkdirSync(folder, { recursive: true });
  const mine = `${path}.${Buffer.from(random.bytes(6)).toString("hex")}`;
  writeFileSync(mine, Buffer.from(random.bytes(32)).toString("hex"), { mode: 0o600 });
  try {
    // A link appears whole or not at all, and only for the first.
    linkSync(mine, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(mine, { force: true });
  }
  const secret = readSecret(path);
  if (secret === null) throw new Error(`${path} is not a secret; delete it and start again`);
  return secret;
}

function readSecret(path: string): string | null {
  try {
    const text = readFileSync(path, "utf8").trim();
    return /^[0-9a-f]{64}$/.test(text) ? text : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
