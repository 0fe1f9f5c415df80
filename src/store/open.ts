/** Opens the database that the configuration names: a folder that is locked for this process, or a server. */
import { join } from "node:path";
import type { Clock } from "../kernel/ports.ts";
import { lockDataFolder } from "./data-folder.ts";
import type { Database } from "./database.ts";

export interface OpeningDatabase {
  readonly database: Promise<Database>;
  /** Gives the data folder back; call it after the database is closed. */
  unlock(): void;
}

/**
 * Starts to open; other parts can be loaded meanwhile.
 * @throws ProblemError `data_dir_in_use`, `config_invalid` when the folder cannot be made
 */
export function openDatabase(
  where: {
    readonly databaseUrl: string | null;
    /** The same server without a pooler in between; null: there is none. */
    readonly directDatabaseUrl: string | null;
    readonly dataDir: string;
    readonly sandbox: { readonly kind: string };
  },
  clock: Clock,
): OpeningDatabase {
  const { databaseUrl } = where;
  // The embedded sandbox keeps its state there too.
  const ownsFolder = databaseUrl === null || where.sandbox.kind === "embedded";
  const unlock = ownsFolder ? lockDataFolder(where.dataDir) : () => {};
  const database =
    databaseUrl === null
      ? import("./embedded.ts").then(({ openEmbedded }) => openEmbedded(join(where.dataDir, "database")))
      : import("./server.ts").then(({ openServer }) =>
          openServer(databaseUrl, clock, undefined, where.directDatabaseUrl),
        );
  // Whoever awaits it hears of its failure; until then it is nobody's unhandled rejection.
  database.catch(() => {});
  return { database, unlock };
}
