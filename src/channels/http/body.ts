/**
 * Request bodies: bounded while they stream in, strict UTF-8, strict JSON. Two readers of one JSON
 * text must not see different things, so a repeated key is refused instead of resolved.
 */
import { type ErrorCode, ProblemError } from "../../kernel/errors.ts";
import { depthOf, repeatedKey } from "../../kernel/json-text.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * The raw bytes of a body, at most `maxBytes`.
 * @throws ProblemError `code` for a larger one; `request_malformed` when the connection ends before the body does
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  code: ErrorCode = "body_too_large",
): Promise<Buffer> {
  try {
    return await collect(request, maxBytes, code);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    throw new ProblemError("request_malformed", "The connection ended before the body did.", {
      cause: error,
    });
  }
}

async function collect(request: Request, maxBytes: number, code: ErrorCode): Promise<Buffer> {
  const tooLarge = () => new ProblemError(code, `The request body has more than ${maxBytes} bytes.`);
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    // The HTTP parser delivers no more than what is declared.
    if (!/^\d+$/.test(declared) || Number(declared) > maxBytes) throw tooLarge();
    return Buffer.from(await request.arrayBuffer());
  }
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, bytes);
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      reader.cancel().catch(() => {});
      throw tooLarge();
    }
    chunks.push(value);
  }
}

/** True for `application/json` with or without `charset=utf-8`. */
export function isJsonType(contentType: string | undefined): boolean {
  return /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(contentType ?? "");
}

/** True for what a browser makes of a form without files. */
export const isFormType = (contentType: string | undefined): boolean =>
  /^\s*application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i.test(
    contentType ?? "",
  );

/**
 * The fields of a form; bytes that are no UTF-8 become U+FFFD, as everywhere in forms.
 * @throws ProblemError `body_invalid` for a field that is there twice
 */
export function parseForm(bytes: Buffer): Record<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(bytes.toString("utf8"))) {
    if (fields.has(name)) throw new ProblemError("body_invalid", "The form has a field twice.");
    fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/**
 * The value of a JSON body.
 * @throws ProblemError `body_invalid` for bytes that are not UTF-8, text that is not JSON, repeated
 * keys, or nesting deeper than `maxDepth`
 */
export function parseJson(bytes: Buffer, maxDepth: number): unknown {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw new ProblemError("body_invalid", "The request body is not UTF-8.");
  }
  if (depthOf(text) > maxDepth) {
    throw new ProblemError("body_invalid", `The request body nests deeper than ${maxDepth} levels.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ProblemError("body_invalid", "The request body is not JSON.");
  }
  const repeated = repeatedKey(text);
  if (repeated !== null) {
    throw new ProblemError("body_invalid", "The request body has an object with the same key twice.", {
      details: { errors: [{ path: repeated.slice(0, 100), message: "This key is there twice." }] },
    });
  }
  return value;
}
