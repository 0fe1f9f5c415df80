/**
 * JPEG (ITU T.81): tables, frame, scans. Application segments and comments go: EXIF with place and device, thumbnails,
 * colour profiles, whatever hides behind the end. Two things in them change what is seen and are written anew: which
 * way up it is, and how its colours are coded.
 */
import { need, PictureFault } from "./picture-fault.ts";

const [SOI, EOI, SOS, DRI, DQT, DHT, COM, APP0, APP1, APP14, APP15] = [
  0xd8, 0xd9, 0xda, 0xdd, 0xdb, 0xc4, 0xfe, 0xe0, 0xe1, 0xee, 0xef,
];
/** Baseline, extended, progressive: what browsers show. */
const FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** A progressive picture with thousands of scans is an attack on whoever looks at it. */
const SCANS_MAX = 100;
const JFIF: Buffer = Buffer.from([0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0]);

/** @throws PictureFault */
export function cleanJpeg(bytes: Buffer): { width: number; height: number; bytes: Buffer } {
  const parts: Buffer[] = [];
  let [width, height, scans] = [0, 0, 0];
  let [isJfif, orientation] = [false, 1];
  let adobe: Buffer | null = null;
  for (let at = 2; ; ) {
    need(bytes, at + 2);
    if (bytes[at] !== 0xff) throw new PictureFault("a part of it does not begin where it should");
    const marker = bytes[at + 1] as number;
    // Fill bytes before a marker.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === EOI) break;
    if (marker === SOI || marker < 0xc0) throw new PictureFault("it has a part that no JPEG has");
    need(bytes, at + 4);
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    need(bytes, end);
    const segment = bytes.subarray(at, end);
    if (segment.length < 4) throw new PictureFault("a part of it has no size");
    const data = segment.subarray(4);
    at = end;
    if (FRAMES.has(marker)) {
      if (width !== 0 || data.length < 6 || data[0] !== 8) throw new PictureFault("its frame is not usual");
      [height, width] = [data.readUInt16BE(1), data.readUInt16BE(3)];
      parts.push(segment);
    } else if (marker === DQT || marker === DHT || marker === DRI) {
      parts.push(segment);
    } else if (marker === SOS) {
      scans += 1;
      if (width === 0 || scans > SCANS_MAX) throw new PictureFault("its scans are not usual");
      const pixelsEnd = endOfScan(bytes, at);
      parts.push(segment, bytes.subarray(at, pixelsEnd));
      at = pixelsEnd;
    } else if (marker === APP0) {
      isJfif ||= data.toString("latin1", 0, 5) === "JFIF\0";
    } else if (marker === APP1) {
      orientation = orientationIn(data) ?? orientation;
    } else if (marker === APP14) {
      if (data.length >= 12 && data.toString("latin1", 0, 5) === "Adobe") adobe = adobeOf(data[11] as number);
    } else if (marker !== COM && !(marker > APP1 && marker <= APP15)) {
      throw new PictureFault("it is coded in a way that browsers do not show");
    }
  }
  if (scans === 0) throw new PictureFault("it has no pixels");
  const head: Buffer[] = [Buffer.from([0xff, SOI]), ...(isJfif ? [JFIF] : [])];
  if (orientation !== 1) head.push(orientationOf(orientation));
  if (adobe !== null) head.push(adobe);
  return { width, height, bytes: Buffer.concat([...head, ...parts, Buffer.from([0xff, EOI])]) };
}

/** Coded pixels go on until a marker that is no restart; `FF 00` is a byte of theirs. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; ; at += 1) {
    at = bytes.indexOf(0xff, at);
    if (at < 0 || at + 1 >= bytes.length) throw new PictureFault("it ends too early");
    const next = bytes[at + 1] as number;
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
}

/** Version 100, no flags: only how the colours are coded is theirs. */
const adobeOf = (transform: number): Buffer =>
  Buffer.concat([
    Buffer.from([0xff, APP14, 0, 14]),
    Buffer.from("Adobe"),
    Buffer.from([0, 100, 0, 0, 0, 0, transform]),
  ]);

/** EXIF 2.3: tag 0x0112 of the first directory. Null: not said, or not readable. */
function orientationIn(data: Buffer): number | null {
  if (data.toString("latin1", 0, 6) !== "Exif\0\0") return null;
  const tiff = data.subarray(6);
  const order = tiff.toString("latin1", 0, 2);
  if (tiff.length < 8 || (order !== "II" && order !== "MM")) return null;
  const isLittle = order === "II";
  const u16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const u32 = (at: number) => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const directory = u32(4);
  if (directory + 2 > tiff.length) return null;
  const count = u16(directory);
  for (let n = 0; n < count; n += 1) {
    const at = directory + 2 + n * 12;
    if (at + 12 > tiff.length) return null;
    if (u16(at) !== 0x0112) continue;
    const value = u16(at + 8);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/** An EXIF segment that says nothing else. */
function orientationOf(value: number): Buffer {
  const tiff = [
    0x4d,
    0x4d,
    0,
    42,
    0,
    0,
    0,
    8,
    0,
    1,
    0x01,
    0x12,
    0,
    3,
    0,
    0,
    0,
    1,
    0,
    value,
    0,
    0,
    0,
    0,
    0,
    0,
  ];
  const data = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), Buffer.from(tiff)]);
  return Buffer.concat([Buffer.from([0xff, APP1, 0, data.length + 2]), data]);
}
