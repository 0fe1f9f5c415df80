/** This package's version, from the one place that says it. */
import { readFileSync } from "node:fs";

export const RECOURSE_VERSION: string = (
  JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
).version;
