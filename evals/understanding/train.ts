/**
 * `npm run train`: fits the understanding model on `data/training` and writes its file. Deterministic: the
 * same rows and code give the same bytes. `--with-bitext` also trains on Bitext where this machine has it
 * (the shipped model does not: it must be possible to make it from this repository alone); `--check`
 * compares with the file that is there and writes nothing.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { encodeModel, MODEL_FILE } from "../../src/agents/understanding/model.ts";
import { trainedModel } from "./trained.ts";

const { values } = parseArgs({
  options: { "with-bitext": { type: "boolean", default: false }, check: { type: "boolean", default: false } },
});
const bytes = encodeModel(trainedModel({ bitext: values["with-bitext"] }));
if (values.check) {
  const same = readFileSync(MODEL_FILE).equals(bytes);
  process.stdout.write(
    same ? "The model is what its data make it.\n" : "The model differs: run `npm run train`.\n",
  );
  process.exit(same ? 0 : 1);
}
writeFileSync(MODEL_FILE, bytes);
process.stdout.write(`Wrote ${bytes.length} bytes.\n`);
