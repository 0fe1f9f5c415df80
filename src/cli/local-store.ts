/** The store of this configuration, opened without a server; it must exist already. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Configuration } from "../configuration.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { Clock } from "../kernel/ports.ts";
import { lockDataFolder } from "../store/data-folder.ts";
import { openEmbedded } from "../store/embedded.ts";
import { openServer } from "../store/server.ts";
import { createStore, type Store } from "../store/store.ts";
import { CliError } from "./command.ts";

/** Where the embedded database lies in a data folder. */
export const embeddedFolder = (dataDir: string): string => join(dataDir, "database");

/**
 * Takes the data folder's lock, so that nothing else writes meanwhile.
 * @throws CliError when there is no database yet; ProblemError `data_dir_in_use`
 */
export async function openLocalStore(
  configuration: Pick<Configuration, "dataDir" | "databaseUrl">,
  clock: Clock,
): Promise<{ readonly store: Store; close(): Promise<void> }> {
  const { dataDir, databaseUrl } = configuration;
  if (databaseUrl !== null) {
    const store = createStore(openServer(databaseUrl, clock, 2));
    return { store, close: () => store.close() };
  }
  const folder = embeddedFolder(dataDir);
  if (!existsSync(folder)) {
    throw new CliError(
      `No server answers, and there is no database in ${dataDir} yet.`,
      "Start the server with `npm start`, or set RECOURSE_DATA_DIR to its data folder.",
    );
  }
  const unlock = lockDataFolder(dataDir);
  try {
    const store = createStore(await openEmbedded(folder));
    return {
      store,
      async close() {
        await store.close();
        unlock();
      },
    };
  } catch (cause) {
    unlock();
    throw new ProblemError("database_unavailable", `The database in ${folder} cannot be opened.`, { cause });
  }
}
