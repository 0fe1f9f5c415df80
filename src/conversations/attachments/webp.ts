/**
 * WebP (RFC 9649): one still picture, with its transparency; profile, EXIF, XMP and what is unknown go. Written anew as
 * a simple file, or an extended one when transparency is apart.
 */
import { need, PictureFault } from "./picture-fault.ts";

const HEAD_BYTES = 12;
const ALPHA_FLAG = 0x10;

/** @throws PictureFault */
export function cleanWebp(bytes: Buffer): { width: number; height: number; bytes: Buffer } {
  need(bytes, HEAD_BYTES);
  const fileEnd = 8 + bytes.readUInt32LE(4);
  need(bytes, fileEnd);
  let alpha: Buffer | null = null;
  for (let at = HEAD_BYTES; at < fileEnd; ) {
    need(bytes, at + 8);
    const name = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length;
    if (end > fileEnd) throw new PictureFault("a part of it is longer than the file");
    const chunk = bytes.subarray(at, end);
    const data = chunk.subarray(8);
    at = end + (length % 2);
    if (name === "ANIM" || name === "ANMF") throw new PictureFault("it moves; send a still picture");
    if (name === "ALPH" && alpha === null) alpha = padded(chunk);
    if (name === "VP8 ") {
      const { width, height } = lossySize(data);
      if (alpha === null) return { width, height, bytes: file([padded(chunk)]) };
      return { width, height, bytes: file([extended(width, height), alpha, padded(chunk)]) };
    }
    if (name === "VP8L") return { ...losslessSize(data), bytes: file([padded(chunk)]) };
  }
  throw new PictureFault("it has no pixels");
}

/** RFC 6386, 9.1: a key frame begins with its sizes. */
function lossySize(data: Buffer): { width: number; height: number } {
  need(data, 10);
  const isKeyFrame = ((data[0] as number) & 1) === 0;
  if (!isKeyFrame || data.readUIntBE(3, 3) !== 0x9d012a)
    throw new PictureFault("its pixels are not readable");
  return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
}

/** RFC 9649, 3.4: 14 bits each, one less than the size. */
function losslessSize(data: Buffer): { width: number; height: number } {
  need(data, 5);
  if (data[0] !== 0x2f) throw new PictureFault("its pixels are not readable");
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

function extended(width: number, height: number): Buffer {
  if (width < 1 || height < 1) throw new PictureFault("it has no size");
  const chunk = Buffer.alloc(18);
  chunk.write("VP8X", 0, "latin1");
  chunk.writeUInt32LE(10, 4);
  chunk[8] = ALPHA_FLAG;
  chunk.writeUIntLE(width - 1, 12, 3);
  chunk.writeUIntLE(height - 1, 15, 3);
  return chunk;
}

/** Chunks begin at even places. */
const padded = (chunk: Buffer): Buffer =>
  chunk.length % 2 === 0 ? chunk : Buffer.concat([chunk, Buffer.from([0])]);

function file(chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat(chunks);
  const head = Buffer.alloc(HEAD_BYTES);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(body.length + 4, 4);
  head.write("WEBP", 8, "latin1");
  return Buffer.concat([head, body]);
}
