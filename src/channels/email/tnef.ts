/**
 * `winmail.dat`, as Outlook sends it to those whom it takes for its own: the files inside, by name. Pure.
 *
 * Source: Microsoft, "Transport Neutral Encapsulation Format" (MS-OXTNEF) 2.1: a signature, a key, then attributes, each
 * with level (1 byte), ID (4), length (4), data and a checksum (2), little-endian. What does not fit ends the reading.
 */
const SIGNATURE = 0x22_3e_9f_78;
const ATTACHMENT_BEGINS = 0x00_06_90_02;
const ATTACHMENT_NAME = 0x00_01_80_10;
const ATTACHMENT_DATA = 0x00_06_80_0f;
const HEAD_BYTES = 9;
const CHECKSUM_BYTES = 2;

export interface PackedFile {
  readonly name: string;
  readonly content: Buffer;
}

/** @param most no more files than this are taken out */
export function filesInTnef(bytes: Buffer, most: number): readonly PackedFile[] {
  if (bytes.length < 6 || bytes.readUInt32LE(0) !== SIGNATURE) return [];
  const files: { name: string; content: Buffer }[] = [];
  let at = 6;
  while (at + HEAD_BYTES <= bytes.length) {
    const id = bytes.readUInt32LE(at + 1);
    const end = at + HEAD_BYTES + bytes.readUInt32LE(at + 5);
    if (end + CHECKSUM_BYTES > bytes.length) break;
    const data = bytes.subarray(at + HEAD_BYTES, end);
    if (id === ATTACHMENT_BEGINS) {
      if (files.length === most) break;
      files.push({ name: "", content: Buffer.alloc(0) });
    }
    const file = files.at(-1);
    if (file !== undefined && id === ATTACHMENT_NAME)
      file.name = data.toString("latin1").replace(/\0.*$/s, "");
    if (file !== undefined && id === ATTACHMENT_DATA) file.content = data;
    at = end + CHECKSUM_BYTES;
  }
  return files.filter(({ content }) => content.length > 0);
}
