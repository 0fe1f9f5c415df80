/**
 * A picture as it is kept: what it is comes from its bytes, whatever its sender calls it, and of those only what a
 * viewer needs to show it. Each format is written anew from parts that are known: no place, device, time, comment,
 * thumbnail or colour profile, and nothing before, between or behind that another reader could take for something else
 * (SVG and HTML are no pictures here at all). Which way up stays. Pixels are not touched.
 *
 * Pure; throws nothing but {@link PictureFault}, whatever the bytes.
 */
import { LIMITS } from "../../kernel/limits.ts";
import { cleanJpeg } from "./jpeg.ts";
import { PictureFault } from "./picture-fault.ts";
import { cleanPng } from "./png.ts";
import { cleanWebp } from "./webp.ts";

export type PictureType = "image/jpeg" | "image/png" | "image/webp";

export interface Picture {
  readonly type: PictureType;
  readonly width: number;
  readonly height: number;
  readonly bytes: Buffer;
}

/** @throws PictureFault */
export function cleanPicture(bytes: Buffer): Picture {
  const picture = read(bytes);
  const { width, height } = picture;
  if (width < 1 || height < 1) throw new PictureFault("it has no size");
  if (width * height > LIMITS.attachmentPixels) {
    throw new PictureFault(`${width} × ${height} pixels are more than ${LIMITS.attachmentPixels}`);
  }
  return picture;
}

function read(bytes: Buffer): Picture {
  if (bytes.subarray(0, 3).equals(JPEG)) return { type: "image/jpeg", ...cleanJpeg(bytes) };
  if (bytes.subarray(0, 8).equals(PNG)) return { type: "image/png", ...cleanPng(bytes) };
  if (bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP") {
    return { type: "image/webp", ...cleanWebp(bytes) };
  }
  throw new PictureFault("it is neither JPEG nor PNG nor WebP");
}

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
