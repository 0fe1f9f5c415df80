/**
 * Runs from the server, or, when none runs on this machine, from the data folder or database of the configuration: like
 * actions and the audit log, they are readable without starting anything.
 */
import { createAssistant } from "../../assistant.ts";
import { loadConfiguration } from "../../configuration.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { tenantScope } from "../../kernel/scope.ts";
import type { RunItem } from "../../orchestrator/traces/reading.ts";
import type { Replay } from "../../orchestrator/traces/replay.ts";
import type { Trace } from "../../orchestrator/traces/trace.ts";
import { createTraces } from "../../orchestrator/traces/traces.ts";
import { Unreachable } from "../api.ts";
import { CliError, type CommandIo, EXIT } from "../command.ts";
import { openLocalStore } from "../local-store.ts";
import { operatorApi, operatorError } from "../operator.ts";
import { plainLine } from "../terminal.ts";

export interface RunSource {
  latest(limit: number): Promise<readonly RunItem[]>;
  trace(runId: string): Promise<Trace>;
  replay(runId: string): Promise<Replay>;
  close(): Promise<void>;
}

interface Where {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly tenant?: string | undefined;
}

/** The server when it answers; else, unless an address was given, what is stored here. @throws CliError */
export async function openRuns(where: Where, io: CommandIo): Promise<RunSource> {
  const api = operatorApi(where, io);
  try {
    await api.call("GET", "/healthz");
  } catch (error) {
    const asked = where.url ?? io.env.RECOURSE_URL;
    if (!(error instanceof Unreachable) || asked !== undefined) throw operatorError(error);
    return storedRuns(where.tenant, io);
  }
  const get = <T>(path: string): Promise<T> =>
    api.call<T>("GET", path).catch((error: unknown) => {
      throw operatorError(error);
    });
  const of = (runId: string, what: string) => `/v1/operator/runs/${encodeURIComponent(runId)}/${what}`;
  return {
    latest: async (limit) =>
      (await get<{ runs: readonly RunItem[] }>(`/v1/operator/runs?limit=${limit}`)).runs,
    trace: (runId) => get(of(runId, "trace")),
    replay: (runId) => get(of(runId, "replay")),
    close: async () => {},
  };
}

async function storedRuns(tenant: string | undefined, io: CommandIo): Promise<RunSource> {
  const configuration = loadConfiguration(io.env, process.cwd());
  const own = configuration.tenants.find(({ id }) => id === (tenant ?? configuration.tenants[0]?.id));
  if (own === undefined) {
    throw new CliError(
      `There is no tenant "${plainLine(tenant, 60)}" in the configuration.`,
      `Use one of ${configuration.tenants.map(({ id }) => id).join(", ")}.`,
    );
  }
  const { store, close } = await openLocalStore(configuration, io.clock);
  const { asks } = createAssistant({
    settings: configuration.models,
    store,
    clock: io.clock,
    random: io.random,
    onError: () => {},
  });
  const traces = createTraces({
    store,
    clock: io.clock,
    timeZoneOf: () => own.timeZone,
    thresholdsOf: () => own.escalation,
    asks,
  });
  const scope = tenantScope(own.id as TenantId);
  return {
    latest: (limit) => traces.latest(scope, limit),
    trace: (runId) => traces.trace(scope, runId),
    replay: (runId) => traces.replay(scope, runId),
    close,
  };
}

/** @throws CliError with the code `run_id_missing` or `run_not_found` when no run can be meant */
export function runIdOf(text: string | undefined): string {
  const code = text === undefined ? "run_id_missing" : "run_not_found";
  if (text !== undefined && /^run_[0-9a-f-]{36}$/.test(text)) return text;
  const problem = new ProblemError(code);
  const said = text === undefined ? problem.message : `"${plainLine(text, 60)}" is not the ID of a run.`;
  throw new CliError(`${said} [${code}]`, problem.next, EXIT.usage);
}
