import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { lockDataFolder } from "../../src/store/data-folder.ts";
import { temporaryFolder } from "../kit/database.ts";

test("a second process is refused the data folder, and gets it once the first was killed", async () => {
  const folder = temporaryFolder();
  const script = `import { lockDataFolder } from "${new URL("../../src/store/data-folder.ts", import.meta.url).href}";
    globalThis.lock = lockDataFolder(${JSON.stringify(folder.path)}); console.log("locked"); setInterval(() => {}, 1000);`;
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", script],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  try {
    await once(child.stdout, "data");
    expect(() => lockDataFolder(folder.path)).toThrow(expect.objectContaining({ code: "data_dir_in_use" }));
    child.kill("SIGKILL");
    await once(child, "exit");
    const release = lockDataFolder(folder.path);
    expect(() => lockDataFolder(folder.path)).toThrow(expect.objectContaining({ code: "data_dir_in_use" }));
    release();
  } finally {
    child.kill("SIGKILL");
    folder.remove();
  }
});
