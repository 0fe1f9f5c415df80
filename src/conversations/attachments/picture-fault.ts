/** Why bytes are no picture that is taken; for whoever sent them. */
export class PictureFault extends Error {
  override readonly name = "PictureFault";
}

/** @throws PictureFault when there are fewer bytes than `end` */
export function need(bytes: Buffer, end: number): void {
  if (end > bytes.length) throw new PictureFault("it ends too early");
}
