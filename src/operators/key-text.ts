/** How a key for scripts is written: `rck_<id>_<secret>`. The prefix lets scanners of repositories find leaked ones. */
import { createHash } from "node:crypto";
import { isId } from "../kernel/ids.ts";

export const KEY_PREFIX = "rck_";

export const keyText = (id: string, secret: string): string =>
  `${KEY_PREFIX}${id.replace(/^key_/, "").replaceAll("-", "")}_${secret}`;

export const hashOfSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Null when the text has another shape. */
export function readKey(text: string): { readonly id: string; readonly secret: string } | null {
  const parts = /^rck_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})_([\w-]{43})$/.exec(
    text,
  );
  if (parts === null) return null;
  const id = `key_${parts.slice(1, 6).join("-")}`;
  return isId("key", id) ? { id, secret: parts[6] as string } : null;
}
