/** Where `recourse operators …` works: this configuration's database, opened without a server, with its tenants. */
import { type Configuration, loadConfiguration } from "../../configuration.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { Clock } from "../../kernel/ports.ts";
import { type TenantScope, tenantScope } from "../../kernel/scope.ts";
import { migrate } from "../../store/migrate.ts";
import { openDatabase } from "../../store/open.ts";
import { createStore, type Store } from "../../store/store.ts";
import { CliError, type CommandIo, EXIT } from "../command.ts";

export const TENANT_OPTION = { tenant: { type: "string" } } as const;
export const TENANT_HELP = `  --tenant NAME    for which tenant; \`all\` for every one; may be left out when there is one only

Works on the database of this configuration. An embedded one is the server's alone while that runs: stop it
first, or use the page /setup and the console.`;

export interface Place {
  readonly store: Store;
  readonly scopes: readonly TenantScope[];
  readonly configuration: Configuration;
  /** What links begin with. */
  readonly baseUrl: string;
}

/**
 * Runs `work` on the database, which is made if there is none yet: the first person may come before the first start.
 * @throws CliError for a tenant that is not named or not known; ProblemError `data_dir_in_use`
 */
export async function withPlace<T>(
  io: Pick<CommandIo, "env" | "clock">,
  tenant: string | undefined,
  work: (place: Place) => Promise<T>,
): Promise<T> {
  const configuration = loadConfiguration(io.env, process.cwd());
  const scopes = scopesOf(configuration, tenant);
  const { store, close } = await openPlace(configuration, io.clock);
  try {
    for (const { id, name, currency, timeZone } of configuration.tenants) {
      await store.transact(tenantScope(id as TenantId), (tx) =>
        tx
          .insertInto("tenants")
          .values({ tenant_id: id as TenantId, name, currency, time_zone: timeZone })
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
    }
    const { publicUrl, host, port } = configuration;
    return await work({
      store,
      scopes,
      configuration,
      baseUrl: publicUrl ?? `http://${host}:${port}`,
    });
  } finally {
    await close();
  }
}

function scopesOf({ tenants }: Configuration, named: string | undefined): readonly TenantScope[] {
  const all = tenants.map(({ id }) => tenantScope(id as TenantId));
  if (named === "all" || (named === undefined && all.length === 1)) return all;
  const found = all.filter(({ tenantId }) => tenantId === named);
  if (found.length > 0) return found;
  const names = tenants.map(({ id }) => id).join(", ");
  throw new CliError(
    named === undefined ? "It is not said for which tenant." : `There is no tenant "${named}".`,
    `Give --tenant: one of ${names}, or all.`,
    EXIT.usage,
  );
}

async function openPlace(configuration: Configuration, clock: Clock) {
  // The embedded sandbox keeps its state in the folder too, but nothing of it is needed here.
  const opening = openDatabase({ ...configuration, sandbox: { kind: "off" } }, clock);
  try {
    const database = await opening.database;
    await migrate(database);
    const store = createStore(database);
    return {
      store,
      async close() {
        await store.close();
        opening.unlock();
      },
    };
  } catch (error) {
    opening.unlock();
    throw error;
  }
}
