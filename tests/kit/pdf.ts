/** PDFs as small as a test needs them, written object by object. */

interface PdfOptions {
  /** What stands between `stream` and `endstream`; unless given, operators that show `lines`. */
  readonly stream?: Buffer;
  /** Such as `/Filter /FlateDecode`. */
  readonly filter?: string;
  readonly pages?: number;
  /** Encrypted with a password that nobody knows. */
  readonly isEncrypted?: boolean;
}

/** Each line with its size; `## ` makes it a heading's. */
export function pdfOf(lines: readonly string[], options: PdfOptions = {}): Buffer {
  const operators = lines
    .map((line, index) => {
      const isHeading = line.startsWith("## ");
      const text = line.replace(/^## /, "").replace(/[\\()]/g, "\\$&");
      return `BT /F1 ${isHeading ? 20 : 11} Tf 72 ${740 - index * 16} Td (${text}) Tj ET`;
    })
    .join("\n");
  const stream = options.stream ?? Buffer.from(operators, "latin1");
  const count = options.pages ?? 1;
  const kids = Array.from({ length: count }, (_, index) => `${6 + index} 0 R`).join(" ");
  const objects: (string | Buffer)[][] = [
    ["<</Type/Catalog/Pages 2 0 R>>"],
    [`<</Type/Pages/Kids[${kids}]/Count ${count}>>`],
    [`<</Length ${stream.length} ${options.filter ?? ""}>>\nstream\n`, stream, "\nendstream"],
    ["<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"],
    [`<</Filter/Standard/V 1/R 2/O <${"41".repeat(32)}>/U <${"42".repeat(32)}>/P -4>>`],
    ...Array.from({ length: count }, () => [
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 3 0 R/Resources<</Font<</F1 4 0 R>>>>>>",
    ]),
  ];
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  const put = (part: string | Buffer) => void parts.push(Buffer.from(part as string, "latin1"));
  const length = () => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [index, object] of objects.entries()) {
    offsets.push(length());
    put(`${index + 1} 0 obj\n`);
    for (const part of object) put(part);
    put("\nendobj\n");
  }
  const start = length();
  const entries = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const encrypt = options.isEncrypted ? `/Encrypt 5 0 R/ID[<${"43".repeat(16)}><${"43".repeat(16)}>]` : "";
  put(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${entries}`);
  put(`trailer\n<</Size ${offsets.length + 1}/Root 1 0 R${encrypt}>>\nstartxref\n${start}\n%%EOF\n`);
  return Buffer.concat(parts);
}
