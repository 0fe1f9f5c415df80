/** What is kept of a picture: the picture, and nothing that its sender did not mean to send. */
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cleanPicture } from "../../src/conversations/attachments/picture.ts";
import { PictureFault } from "../../src/conversations/attachments/picture-fault.ts";
import { SAMPLES } from "./samples.ts";

const SECRET = "52.3702N 4.8952E <script>alert(1)</script>";
const join = (...parts: readonly (Buffer | string | readonly number[])[]): Buffer =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part as Buffer),
    ),
  );
const u16 = (n: number) => [n >> 8, n & 255];

function segment(marker: number, data: Buffer | string): Buffer {
  return join([0xff, marker, ...u16(data.length + 2)], data);
}
/** EXIF with a place, and which way up the picture is. */
function exif(orientation: number, isLittle: boolean): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write(isLittle ? "II" : "MM", "latin1");
  const [w16, w32] = isLittle
    ? [tiff.writeUInt16LE.bind(tiff), tiff.writeUInt32LE.bind(tiff)]
    : [tiff.writeUInt16BE.bind(tiff), tiff.writeUInt32BE.bind(tiff)];
  w16(42, 2);
  w32(8, 4);
  w16(1, 8);
  w16(0x0112, 10);
  w16(3, 12);
  w32(1, 14);
  w16(orientation, 18);
  return join("Exif\0\0", tiff, SECRET);
}
const afterStart = (jpeg: Buffer, ...segments: readonly Buffer[]): Buffer =>
  join(jpeg.subarray(0, 2), ...segments, jpeg.subarray(2));
const pngChunk = (name: string, data: string): Buffer => {
  const body = join(name, data);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
};
function webpWith(webp: Buffer, name: string, data: string): Buffer {
  const chunk = join(name, [data.length, 0, 0, 0], data, data.length % 2 === 0 ? "" : "\0");
  const all = join(webp, chunk);
  all.writeUInt32LE(all.length - 8, 4);
  return all;
}

const faultOf = (bytes: Buffer): string => {
  try {
    cleanPicture(bytes);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(PictureFault);
    return (error as Error).message;
  }
};

describe("a picture is what its bytes are", () => {
  test.each([
    ["jpeg", "image/jpeg"],
    ["png", "image/png"],
    ["webp", "image/webp"],
    ["webpLossless", "image/webp"],
  ] as const)("%s is %s of 8 × 4, and clean a second time it is the same", (name, type) => {
    const picture = cleanPicture(SAMPLES[name]);
    expect(picture).toMatchObject({ type, width: 8, height: 4 });
    expect(picture.bytes.includes("Google Inc.".split("").join("\0"))).toBe(false);
    expect(picture.bytes.length).toBeLessThanOrEqual(SAMPLES[name].length);
    expect(cleanPicture(picture.bytes).bytes.equals(picture.bytes)).toBe(true);
  });

  test.each([
    ["SVG", '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ["SVG behind a byte order mark", '\u00ef\u00bb\u00bf<?xml version="1.0"?><svg/>'],
    ["HTML", "<!doctype html><script>alert(1)</script>"],
    ["GIF", "GIF89a\x01\0\x01\0\0\0\0;"],
    ["PDF", "%PDF-1.7"],
    ["BMP", "BM\0\0"],
    ["nothing", ""],
    ["a JPEG's name on HTML", "\xff\xd8\xff<script>alert(1)</script>"],
    ["a PNG's name on HTML", "\x89PNG\r\n\x1a\n<script>alert(1)</script>"],
    ["a WebP's name on HTML", "RIFF\x20\0\0\0WEBP<script>alert(1)</script>"],
  ])("%s is none", (_name, text) => {
    expect(faultOf(Buffer.from(text, "latin1"))).not.toBe("");
  });
});

describe("of a picture nothing is kept that is not seen", () => {
  test("a JPEG's EXIF, comment, profile, thumbnails and what hides behind its end", () => {
    const dirty = join(
      afterStart(
        SAMPLES.jpeg,
        segment(0xe1, exif(1, true)),
        segment(0xfe, SECRET),
        segment(0xed, `Photoshop 3.0\0${SECRET}`),
        segment(0xe2, `MPF\0${SECRET}`),
      ),
      SECRET,
      SAMPLES.jpeg,
    );
    const { bytes } = cleanPicture(dirty);
    expect(bytes.includes(SECRET)).toBe(false);
    expect(bytes.equals(cleanPicture(SAMPLES.jpeg).bytes)).toBe(true);
  });

  test.each([3, 6, 8])("but a JPEG stays the way up it was (%i), in either byte order", (orientation) => {
    for (const isLittle of [true, false]) {
      const { bytes } = cleanPicture(afterStart(SAMPLES.jpeg, segment(0xe1, exif(orientation, isLittle))));
      expect(bytes.includes(SECRET)).toBe(false);
      expect(bytes.includes("Exif")).toBe(true);
      expect(cleanPicture(bytes).bytes.equals(bytes)).toBe(true);
    }
  });

  test("a JPEG's colours stay coded as they were", () => {
    const adobe = segment(0xee, join("Adobe", [0, 100, 0x12, 0x34, 0x56, 0x78, 2]));
    const { bytes } = cleanPicture(afterStart(SAMPLES.jpeg, adobe));
    const at = bytes.indexOf("Adobe");
    expect(bytes[at + 11]).toBe(2);
    expect(bytes.readUInt32BE(at + 7)).toBe(0);
  });

  test("a PNG's texts, EXIF, times, and what hides behind its end", () => {
    const head = SAMPLES.png.subarray(0, 33);
    const dirty = join(
      head,
      ...["tEXt", "zTXt", "iTXt", "eXIf", "tIME", "iCCP", "prVt"].map((name) => pngChunk(name, SECRET)),
      SAMPLES.png.subarray(33),
      SECRET,
    );
    const { bytes } = cleanPicture(dirty);
    expect(bytes.includes(SECRET)).toBe(false);
    expect(bytes.equals(cleanPicture(SAMPLES.png).bytes)).toBe(true);
  });

  test("a WebP's EXIF, XMP, profile and unknown chunks", () => {
    const dirty = ["EXIF", "XMP ", "HIDE"].reduce(
      (webp, name) => webpWith(webp, name, SECRET),
      SAMPLES.webp as Buffer,
    );
    const { bytes } = cleanPicture(dirty);
    expect(bytes.includes(SECRET)).toBe(false);
    expect(bytes.equals(cleanPicture(SAMPLES.webp).bytes)).toBe(true);
    expect(bytes.includes("ALPH")).toBe(true);
  });
});

describe("refused is", () => {
  test("a picture of small bytes that unfolds to too many pixels", () => {
    const bomb = Buffer.from(SAMPLES.png);
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    expect(faultOf(bomb)).toContain("pixels");
  });

  test("a PNG whose checksum does not fit, or with a part that must be understood and is not", () => {
    const wrong = Buffer.from(SAMPLES.png);
    wrong[20] = 1;
    expect(faultOf(wrong)).toContain("checksum");
    const head = SAMPLES.png.subarray(0, 33);
    expect(faultOf(join(head, pngChunk("EVIL", "x"), SAMPLES.png.subarray(33)))).not.toBe("");
  });

  test("a moving WebP, and a JPEG of a thousand scans", () => {
    expect(faultOf(webpWith(SAMPLES.webp.subarray(0, 30) as Buffer, "ANIM", "123456"))).toContain("moves");
    const { bytes } = cleanPicture(SAMPLES.jpeg);
    const scan = bytes.subarray(bytes.indexOf(Buffer.from([0xff, 0xda])), -2);
    const many = join(bytes.subarray(0, -2), ...Array.from({ length: 1_000 }, () => scan), [0xff, 0xd9]);
    expect(faultOf(many)).toContain("scans");
  });
});

test("whatever the bytes: a picture or a fault, and a picture is clean", () => {
  const samples = Object.values(SAMPLES);
  const changed = fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(2_000), fc.nat(255)), { maxLength: 6 }),
      fc.option(fc.nat(2_000)),
    )
    .map(([sample, changes, cut]) => {
      const bytes = Buffer.from(sample);
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      return cut === null ? bytes : bytes.subarray(0, cut % bytes.length);
    });
  fc.assert(
    fc.property(changed, (bytes) => {
      let picture: ReturnType<typeof cleanPicture>;
      try {
        picture = cleanPicture(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(PictureFault);
        return;
      }
      expect(cleanPicture(picture.bytes).bytes.equals(picture.bytes)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});
