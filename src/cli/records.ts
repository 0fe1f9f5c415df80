/**
 * Actions and the audit log, from the server that runs, or, when none does, from the data folder or
 * database of the configuration: after a crash, evidence must be readable without starting anything.
 */
import { createRecords } from "../actions/records.ts";
import { loadConfiguration } from "../configuration.ts";
import { type AuditCheckpoint, createCheckpoints } from "../evidence/checkpoints.ts";
import type { AuditPart, AuditRowOf } from "../evidence/reading.ts";
import { auditSigner } from "../evidence/signing-key.ts";
import { isoInstant } from "../kernel/calendar.ts";
import { ProblemError } from "../kernel/errors.ts";
import type { TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import { tenantScope } from "../kernel/scope.ts";
import { ApiProblem, Unreachable } from "./api.ts";
import { CliError, type CommandIo } from "./command.ts";
import { openLocalStore } from "./local-store.ts";
import { operatorApi, operatorError } from "./operator.ts";
import { plainLine } from "./terminal.ts";

export interface RecordSource {
  /** @throws CliError when there is none */
  action(actionId: string): Promise<Readonly<Record<string, unknown>>>;
  /** One page of entries after number `afterN`. */
  audit(afterN: number, part?: AuditPart): Promise<readonly AuditRowOf[]>;
  checkpoint(): Promise<AuditCheckpoint>;
  close(): Promise<void>;
}

interface Where {
  readonly url?: string | undefined;
  readonly token?: string | undefined;
  readonly tenant?: string | undefined;
}

/** The server when it answers; else, unless an address was given, what is stored here. */
export async function openRecords(where: Where, io: CommandIo): Promise<RecordSource> {
  const api = operatorApi(where, io);
  try {
    await api.call("GET", "/healthz");
  } catch (error) {
    const asked = where.url ?? io.env.RECOURSE_URL;
    if (!(error instanceof Unreachable) || asked !== undefined) throw operatorError(error);
    return storedRecords(where.tenant, io);
  }
  return {
    async action(actionId) {
      try {
        return await api.call("GET", `/v1/operator/actions/${encodeURIComponent(actionId)}`);
      } catch (error) {
        throw error instanceof ApiProblem && error.code === "not_found"
          ? noAction(actionId)
          : operatorError(error);
      }
    },
    async audit(afterN, part = {}) {
      try {
        const query = new URLSearchParams({ after_n: String(afterN), ...partNames(part) });
        return (await api.call<{ entries: readonly AuditRowOf[] }>("GET", `/v1/operator/audit?${query}`))
          .entries;
      } catch (error) {
        throw operatorError(error);
      }
    },
    async checkpoint() {
      try {
        return await api.call<AuditCheckpoint>("GET", "/v1/operator/audit/checkpoint");
      } catch (error) {
        throw operatorError(error);
      }
    },
    close: async () => {},
  };
}

async function storedRecords(tenant: string | undefined, io: CommandIo): Promise<RecordSource> {
  const configuration = loadConfiguration(io.env, process.cwd());
  const tenantId = tenant ?? configuration.tenants[0]?.id;
  if (!configuration.tenants.some(({ id }) => id === tenantId)) {
    throw new CliError(
      `There is no tenant "${plainLine(tenantId, 60)}" in the configuration.`,
      `Use one of ${configuration.tenants.map(({ id }) => id).join(", ")}.`,
    );
  }
  const local = await openLocalStore(configuration, io.clock);
  const records = createRecords(local.store);
  const scope = tenantScope(tenantId as TenantId);
  return {
    action: (actionId) =>
      records.action(scope, actionId).catch((error: unknown) => {
        throw error instanceof ProblemError && error.code === "not_found" ? noAction(actionId) : error;
      }) as Promise<unknown> as Promise<Readonly<Record<string, unknown>>>,
    audit: (afterN, part) => records.audit(scope, afterN, LIMITS.auditPerPage, part),
    checkpoint: () =>
      createCheckpoints({
        store: local.store,
        clock: io.clock,
        signer: auditSigner(configuration, io.random),
      }).make(scope),
    close: local.close,
  };
}

/** As the API names them. */
const partNames = ({ fromMs, toMs, customerId, orderNumber }: AuditPart): Record<string, string> => ({
  ...(fromMs == null ? {} : { from: isoInstant(fromMs) }),
  ...(toMs == null ? {} : { to: isoInstant(toMs) }),
  ...(customerId == null ? {} : { customer_id: customerId }),
  ...(orderNumber == null ? {} : { order_number: orderNumber }),
});

const noAction = (actionId: string): CliError =>
  new CliError(
    `There is no action ${plainLine(actionId, 60)} for this tenant.`,
    "Reviews and the chat's events name actions (act_…); --tenant chooses another tenant.",
  );
