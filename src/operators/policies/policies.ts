/**
 * The policy as operators work with it: versions, what changed between them, whether a text is valid, what it would have
 * decided of late, and publishing it. Nothing here evaluates a customer's request: that is the gateway's.
 */
import { governingPolicy, publishPolicies, withdrawPolicy } from "../../gateway/policy/book.ts";
import { type ParsedPolicy, parsePolicy, readPolicy } from "../../gateway/policy/document.ts";
import { compilePolicy, evaluate } from "../../gateway/policy/evaluate.ts";
import type { DecisionRecord } from "../../gateway/policy/explain.ts";
import type { PolicyFault } from "../../gateway/policy/faults.ts";
import type { PolicyVersion, Verdict } from "../../gateway/policy/policy.ts";
import { dateIn, dayAfter, isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { formatMoney } from "../../kernel/money.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { TenantScope } from "../../kernel/scope.ts";
import { publishPolicyTexts, withdrawPolicyText } from "../../knowledge/policy-texts.ts";
import type { Store, Tx } from "../../store/store.ts";
import {
  type ClauseChange,
  clauseChanges,
  type LimitChange,
  type LineChange,
  limitChanges,
  lineChanges,
} from "./difference.ts";

export interface PolicyHead {
  readonly policy_id: string;
  readonly version: string;
  readonly title: string;
  readonly effective_from: string;
  readonly governed_by: "order_placed" | "request_made";
  /** Whether it governs what is asked for now. */
  readonly state: "past" | "current" | "future";
  readonly hash: string;
  readonly published_at: string;
  readonly published_by: string;
}

export interface PolicyText extends PolicyHead {
  readonly source: string;
  readonly clauses: readonly {
    readonly clause_id: string;
    readonly title: string;
    readonly prose: string;
    readonly customer_text: string;
    readonly rules: readonly string[];
  }[];
}

export interface PolicyDifference {
  readonly from: string;
  readonly to: string;
  readonly clauses: readonly ClauseChange[];
  readonly limits: readonly LimitChange[];
  readonly lines: readonly LineChange[];
}

export interface PolicyCheck {
  readonly valid: boolean;
  /** By line, then column. */
  readonly faults: readonly PolicyFault[];
  /** What it is, as far as it could be read. */
  readonly version: string | null;
  readonly effective_from: string | null;
}

export interface ChangedDecision {
  /** Null for what was denied: there is no action. */
  readonly action_id: string | null;
  readonly kind: string;
  readonly order_number: string;
  readonly amount: string;
  readonly state: string;
  readonly decided_at: string;
  readonly was: Verdict["decision"];
  readonly was_clauses: readonly string[];
  readonly would_be: Verdict["decision"];
  readonly would_be_clauses: readonly string[];
}

export interface PolicyPreview {
  /** Decisions that were looked at, the latest first. */
  readonly decisions: number;
  readonly changed: readonly ChangedDecision[];
}

export interface Policies {
  /** The latest effective date first. */
  list(scope: TenantScope): Promise<readonly PolicyHead[]>;
  /** The shop's first calendar day from tomorrow on with which no version begins yet. */
  nextFreeDay(scope: TenantScope): Promise<string>;
  /** @throws ProblemError `not_found` */
  version(scope: TenantScope, version: string): Promise<PolicyText>;
  /** @throws ProblemError `not_found` */
  difference(scope: TenantScope, from: string, to: string): Promise<PolicyDifference>;
  /** What publishing it today would say. */
  check(scope: TenantScope, source: string): Promise<PolicyCheck>;
  /** The last decisions that were recorded with their facts, decided again by this text. @throws ProblemError `policy_invalid` */
  preview(scope: TenantScope, source: string, last: number): Promise<PolicyPreview>;
  /**
   * `mayToday`: whether it may count from today on; else somebody has a day to look at it and withdraw it.
   * @throws ProblemError `policy_invalid`, `policy_needs_admin`
   */
  publish(
    scope: TenantScope,
    source: string,
    by: { readonly operator: string; readonly mayToday: boolean },
  ): Promise<PolicyText>;
  /** Takes back a version that has decided nothing, before its day. @throws ProblemError `not_found`, `policy_not_withdrawn` */
  withdraw(scope: TenantScope, version: string, by: string): Promise<void>;
}

export function createPolicies(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly timeZoneOf: (tenantId: TenantId) => string;
}): Policies {
  const { store, clock, timeZoneOf } = parts;

  /** Faults that only publishing has: another tenant's, a date that is past, a version that is there. */
  async function faultsOf(tx: Tx, policy: PolicyVersion): Promise<PolicyFault[]> {
    const { tenantId } = tx.scope;
    const at = { line: 1, column: null };
    const faults: PolicyFault[] = [];
    if (policy.tenant !== tenantId) {
      faults.push({
        ...at,
        message: `It is a policy of ${policy.tenant}.`,
        fix: `Write \`tenant: ${tenantId}\`.`,
      });
    }
    const today = dateIn(timeZoneOf(tenantId), clock.now());
    const rows = await headsOf(tx);
    const same = rows.find(({ version }) => version === policy.version);
    if (same !== undefined && same.hash === policy.hash) return faults;
    if (same !== undefined) {
      faults.push({
        ...at,
        message: `Version ${policy.version} is published already, with another text.`,
        fix: "Give this one a version of its own: decisions name the version that made them.",
      });
    }
    if (policy.effectiveFrom < today) {
      faults.push({
        ...at,
        message: `It would have been in effect since ${policy.effectiveFrom}, before anybody could read it.`,
        fix: `Write \`effective_from: ${today}\` or a later date.`,
      });
    }
    const sameDate = rows.find(({ effective_from }) => effective_from === policy.effectiveFrom);
    if (sameDate !== undefined && same === undefined) {
      faults.push({
        ...at,
        message: `Version ${sameDate.version} is in effect from ${policy.effectiveFrom} too.`,
        fix: "Take another date: of two, neither would govern.",
      });
    }
    const other = rows.find(({ policy_id }) => policy_id !== policy.id);
    if (other !== undefined) {
      faults.push({
        ...at,
        message: `This tenant's policy is ${other.policy_id}, not ${policy.id}.`,
        fix: `Write \`id: ${other.policy_id}\`.`,
      });
    }
    return faults;
  }

  async function textOf(tx: Tx, version: string): Promise<{ row: Row; policy: PolicyVersion }> {
    const row = await tx
      .selectFrom("policy_versions")
      .selectAll()
      .where("tenant_id", "=", tx.scope.tenantId)
      .where("version", "=", version)
      .executeTakeFirst();
    if (row === undefined) throw new ProblemError("not_found");
    return { row, policy: parsePolicy(row.source) };
  }

  const current = (tx: Tx) => {
    const nowMs = clock.now();
    const timeZone = timeZoneOf(tx.scope.tenantId);
    return governingPolicy(tx, { orderPlacedAt: nowMs, requestedAt: nowMs, timeZone });
  };

  /** The hash of what governs now; null when nothing does yet. */
  const governingHash = (tx: Tx): Promise<string | null> =>
    current(tx).then(
      ({ version }) => version.hash,
      (error: unknown) => {
        if (error instanceof ProblemError && error.code === "policy_missing") return null;
        throw error;
      },
    );

  function headOf(tx: Tx, row: Row, policy: PolicyVersion, governing: string | null): PolicyHead {
    const today = dateIn(timeZoneOf(tx.scope.tenantId), clock.now());
    const isCurrent = governing === row.hash;
    return {
      policy_id: row.policy_id,
      version: row.version,
      title: policy.title,
      effective_from: row.effective_from,
      governed_by: policy.governedBy,
      state: isCurrent ? "current" : row.effective_from > today ? "future" : "past",
      hash: row.hash,
      published_at: isoInstant(row.published_at_ms),
      published_by: row.published_by,
    };
  }

  const wholeOf = async (tx: Tx, version: string): Promise<PolicyText> => {
    const { row, policy } = await textOf(tx, version);
    return {
      ...headOf(tx, row, policy, await governingHash(tx)),
      source: row.source,
      clauses: policy.clauses.map((clause) => ({
        clause_id: clause.id,
        title: clause.title,
        prose: clause.prose,
        customer_text: clause.customerText,
        rules: policy.statements.filter(({ clauseId }) => clauseId === clause.id).map(({ text }) => text),
      })),
    };
  };

  const self: Policies = {
    list: (scope) =>
      store.transact(scope, async (tx) => {
        const governing = await governingHash(tx);
        const heads: PolicyHead[] = [];
        for (const { version } of await headsOf(tx)) {
          const { row, policy } = await textOf(tx, version);
          heads.push(headOf(tx, row, policy, governing));
        }
        return heads;
      }),

    nextFreeDay: (scope) =>
      store.transact(scope, async (tx) => {
        const taken = new Set((await headsOf(tx)).map(({ effective_from }) => effective_from));
        let day = dayAfter(dateIn(timeZoneOf(scope.tenantId), clock.now()));
        // Ends: there are fewer versions than days.
        while (taken.has(day)) day = dayAfter(day);
        return day;
      }),

    version: (scope, version) => store.transact(scope, (tx) => wholeOf(tx, version)),

    difference: (scope, from, to) =>
      store.transact(scope, async (tx) => {
        const [before, after] = [await textOf(tx, from), await textOf(tx, to)];
        return {
          from,
          to,
          clauses: clauseChanges(before.policy, after.policy),
          limits: limitChanges(before.policy, after.policy),
          lines: lineChanges(before.row.source, after.row.source),
        };
      }),

    async check(scope, source) {
      const parsed: ParsedPolicy = readPolicy(source);
      if (!parsed.ok) return { valid: false, faults: parsed.faults, version: null, effective_from: null };
      const { policy } = parsed;
      const faults = await store.transact(scope, (tx) => faultsOf(tx, policy));
      return {
        valid: faults.length === 0,
        faults,
        version: policy.version,
        effective_from: policy.effectiveFrom,
      };
    },

    async preview(scope, source, last) {
      const compiled = compilePolicy(parsePolicy(source));
      const rows = await store.transact(scope, (tx) =>
        lastDecisions(tx, Math.min(last, LIMITS.previewDecisions)),
      );
      const changed: ChangedDecision[] = [];
      for (const [index, row] of rows.entries()) {
        // Others are served meanwhile.
        if (index % DECISIONS_A_STEP === DECISIONS_A_STEP - 1) await clock.sleep(0);
        const { verdict, facts, action } = row.decision as DecisionRecord;
        const would = evaluate(compiled, action, facts);
        if (would.decision === verdict.decision) continue;
        changed.push({
          action_id: row.action_id,
          kind: row.kind,
          order_number: row.order_number,
          amount: formatMoney({ amountMinor: row.amount_minor, currency: row.currency }),
          state: row.state,
          decided_at: isoInstant(row.at_ms),
          was: verdict.decision,
          was_clauses: verdict.clauses.map(({ title }) => title),
          would_be: would.decision,
          would_be_clauses: would.clauses.map(({ title }) => title),
        });
      }
      return { decisions: rows.length, changed };
    },

    async publish(scope, source, by) {
      const policy = parsePolicy(source);
      return store.transact(scope, async (tx) => {
        const faults = await faultsOf(tx, policy);
        if (faults.length > 0) {
          throw new ProblemError("policy_invalid", faults.map(({ message }) => message).join(" "), {
            next: faults[0]?.fix ?? "",
            details: { faults },
          });
        }
        const nowMs = clock.now();
        const timeZone = timeZoneOf(scope.tenantId);
        if (!by.mayToday && policy.effectiveFrom <= dateIn(timeZone, nowMs)) {
          throw new ProblemError("policy_needs_admin");
        }
        await publishPolicies(tx, [policy], nowMs, by.operator);
        // What customers are told and what is enforced change in one moment.
        await publishPolicyTexts(tx, [policy], timeZone, nowMs);
        return wholeOf(tx, policy.version);
      });
    },

    withdraw: (scope, version, by) =>
      store.transact(scope, async (tx) => {
        const { row } = await textOf(tx, version);
        const nowMs = clock.now();
        if (row.effective_from <= dateIn(timeZoneOf(scope.tenantId), nowMs)) {
          throw new ProblemError(
            "policy_not_withdrawn",
            `Version ${version} counts since ${row.effective_from}.`,
          );
        }
        if (row.published_by === FROM_FILES) {
          throw new ProblemError(
            "policy_not_withdrawn",
            `Version ${version} came from a file of the server.`,
            {
              next: "Whoever runs the server changes the file's version and effective_from: with the file as it is, the next start publishes it again.",
            },
          );
        }
        await withdrawPolicy(tx, version, nowMs, by);
        await withdrawPolicyText(tx, { id: row.policy_id, version }, nowMs, by);
      }),
  };
  return self;
}

/** As whom a start publishes what lies in the folder. */
const FROM_FILES = "files";

/** Some 0.6 ms each (measured). */
const DECISIONS_A_STEP = 20;

/** Of actions and of what was denied, the latest first. */
async function lastDecisions(tx: Tx, last: number) {
  const actions = await tx
    .selectFrom("actions")
    .select([
      "id as action_id",
      "kind",
      "order_number",
      "amount_minor",
      "currency",
      "state",
      "decision",
      "created_at_ms as at_ms",
    ])
    .where("tenant_id", "=", tx.scope.tenantId)
    .orderBy("created_at_ms", "desc")
    .limit(last)
    .execute();
  const denials = await tx
    .selectFrom("denials")
    .select(["kind", "order_number", "amount_minor", "currency", "decision", "at_ms"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .orderBy("at_ms", "desc")
    .limit(last)
    .execute();
  return [...actions, ...denials.map((row) => ({ ...row, action_id: null, state: "denied" as const }))]
    .toSorted((a, b) => b.at_ms - a.at_ms)
    .slice(0, last);
}

type Row = Awaited<ReturnType<typeof headsOf>>[number] & { readonly source: string };

const headsOf = (tx: Tx) =>
  tx
    .selectFrom("policy_versions")
    .select(["policy_id", "version", "effective_from", "hash", "published_at_ms", "published_by"])
    .where("tenant_id", "=", tx.scope.tenantId)
    .orderBy("effective_from", "desc")
    .orderBy("version")
    .execute();
