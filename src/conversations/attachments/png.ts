/**
 * PNG (W3C, third edition): the chunks that make the picture, each with its checksum, in the order they came. All other
 * ancillary chunks go, with the frames of an animation: the first picture stays.
 */
import { crc32 } from "node:zlib";
import { need, PictureFault } from "./picture-fault.ts";

const SIGNATURE_BYTES = 8;
const KEPT = new Set(["IHDR", "PLTE", "tRNS", "gAMA", "sRGB", "cHRM", "IDAT", "IEND"]);
/** Ancillary chunks that are kept have these sizes and no room for anything else. */
const SIZES: Readonly<Record<string, number>> = { IHDR: 13, gAMA: 4, sRGB: 1, cHRM: 32, IEND: 0 };
const LONGEST: Readonly<Record<string, number>> = { PLTE: 768, tRNS: 256 };
/** Capital first letter: a reader that does not know it cannot show the picture. */
const isCritical = (name: string): boolean => name.charCodeAt(0) < 0x61;

/** @throws PictureFault */
export function cleanPng(bytes: Buffer): { width: number; height: number; bytes: Buffer } {
  const parts: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)];
  const seen = new Set<string>();
  let [width, height] = [0, 0];
  for (let at = SIGNATURE_BYTES; ; ) {
    need(bytes, at + 12);
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString("latin1", at + 4, at + 8);
    const end = at + 12 + length;
    need(bytes, end);
    const chunk = bytes.subarray(at, end);
    at = end;
    if (seen.size === 0 && name !== "IHDR") throw new PictureFault("it does not begin as a PNG does");
    if (!KEPT.has(name)) {
      if (isCritical(name)) throw new PictureFault("it has a part that no PNG has");
      continue;
    }
    if (seen.has(name) && name !== "IDAT") throw new PictureFault(`it has ${name} twice`);
    if (length !== (SIZES[name] ?? length) || length > (LONGEST[name] ?? length)) {
      throw new PictureFault(`its ${name} has another size`);
    }
    if (chunk.readUInt32BE(length + 8) !== crc32(chunk.subarray(4, length + 8))) {
      throw new PictureFault("a checksum does not fit");
    }
    if (name === "IHDR") [width, height] = [chunk.readUInt32BE(8), chunk.readUInt32BE(12)];
    seen.add(name);
    parts.push(chunk);
    if (name === "IEND") break;
  }
  if (!seen.has("IDAT")) throw new PictureFault("it has no pixels");
  return { width, height, bytes: Buffer.concat(parts) };
}
