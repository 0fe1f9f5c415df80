/** `npm ci` builds the pages; where only what runs is installed, they come with the release or stay out. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

try {
  import.meta.resolve("vite");
} catch {
  process.stdout.write("The pages are not built here: development packages are not installed.\n");
  process.exit(0);
}
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, "build.ts")], { stdio: "inherit" });
process.exit(status ?? 1);
