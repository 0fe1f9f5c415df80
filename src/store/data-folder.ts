/**
 * One process per data folder. The lock is an operating-system lock on a small SQLite file: it ends
 * with the process however that dies, so there is no stale lock to clean up after a crash.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ProblemError } from "../kernel/errors.ts";

/**
 * Creates the folder if need be and takes its lock; the answer releases it.
 * @throws ProblemError `data_dir_in_use`, `config_invalid` when the folder cannot be made
 */
export function lockDataFolder(folder: string): () => void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    throw new ProblemError(
      "config_invalid",
      `RECOURSE_DATA_DIR: the folder ${folder} cannot be made (${(cause as Error).message}).`,
      {
        next: "Set RECOURSE_DATA_DIR to a folder that this user may write.",
        cause,
      },
    );
  }
  const lock = new DatabaseSync(join(folder, "lock"));
  try {
    lock.exec("pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive");
  } catch (cause) {
    lock.close();
    throw new ProblemError("data_dir_in_use", `Another process uses the data folder ${folder}.`, { cause });
  }
  return () => lock.close();
}
