/**
 * Cedar, the engine: reading a rule, strict validation against the schema of facts, and evaluation of a
 * prepared set. It runs in WebAssembly, in this process. No error of it, a trap of the engine included,
 * reaches the caller as anything but an error that is denied.
 */
import { createHash } from "node:crypto";
import { createRequire } from "node:module";
import type * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import type { PolicyStatement, PolicyVersion } from "./policy.ts";
import { SCHEMA } from "./schema.ts";

/** Compiling the engine takes 0.2 s: it is loaded with the first rule, and not with this file. */
let loaded: typeof cedar | undefined;
function engine(): typeof cedar {
  loaded ??= createRequire(import.meta.url)("@cedar-policy/cedar-wasm/nodejs") as typeof cedar;
  return loaded;
}

export type Expression = cedar.Expr;

export interface CedarFault {
  /** Within the rule's text; null when the engine names no place. */
  readonly offset: number | null;
  readonly message: string;
  readonly help: string | null;
}

/** Reads one rule, or answers with everything that is wrong with its form. */
export function parseRule(
  text: string,
): { readonly rule: cedar.PolicyJson } | { readonly faults: CedarFault[] } {
  return orTrapped(
    () => {
      const answer = engine().policyToJson(text);
      if (answer.type === "success") return { rule: answer.json };
      return { faults: answer.errors.flatMap(withRelated).map((error) => faultOf(text, error)) };
    },
    (fault) => ({ faults: [fault] }),
  );
}

/** The limits of a rule's depth keep the engine from trapping; should it do so, that is a fault and no crash. */
function orTrapped<T>(ask: () => T, otherwise: (fault: CedarFault) => T): T {
  try {
    return ask();
  } catch (error) {
    return otherwise({ offset: null, message: `the engine failed: ${messageOf(error)}`, help: null });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Everything that strict validation finds wrong, its warnings (a rule that can never apply) included. */
export function validateRules(
  rules: readonly Pick<PolicyStatement, "id" | "text">[],
): { readonly statementId: string; readonly fault: CedarFault }[] {
  return orTrapped(
    () => validated(rules),
    (fault) => [{ statementId: "", fault }],
  );
}

function validated(rules: readonly Pick<PolicyStatement, "id" | "text">[]): ReturnType<typeof validateRules> {
  const answer = engine().validate({
    validationSettings: { mode: "strict" },
    schema: SCHEMA,
    policies: { staticPolicies: staticPolicies(rules) },
  });
  if (answer.type === "failure")
    return answer.errors.map((error) => ({ statementId: "", fault: faultOf("", error) }));
  return [...answer.validationErrors, ...answer.validationWarnings].map(({ policyId, error }) => {
    return {
      statementId: policyId,
      fault: faultOf(rules.find(({ id }) => id === policyId)?.text ?? "", error),
    };
  });
}

const staticPolicies = (rules: readonly Pick<PolicyStatement, "id" | "text">[]) =>
  Object.fromEntries(rules.map(({ id, text }) => [id, text]));

const withRelated = (error: cedar.DetailedError): cedar.DetailedError[] => [
  error,
  ...(error.related ?? []).flatMap(withRelated),
];

/** The engine counts bytes of UTF-8, and says of each fault where it looked, which the place says already. */
function faultOf(text: string, error: cedar.DetailedError): CedarFault {
  const { start, label } = error.sourceLocations?.[0] ?? {};
  const plain = (words: string) => words.replace(/failed to parse [a-z ]+: |for policy `[^`]*`,\s*/g, "");
  const help = error.help ?? label;
  return {
    offset: start === undefined ? null : Buffer.from(text).subarray(0, start).toString().length,
    message: plain(error.message),
    help: help == null ? null : plain(help),
  };
}

export interface Answer {
  readonly allowed: boolean;
  /** Clauses of the rules that decided, in no order. */
  readonly clauseIds: readonly string[];
  readonly errors: readonly string[];
}
export type Authorizer = (action: string, context: object) => Answer;

/** Sets that the engine holds, by the hash of their rules: one policy is prepared once a process. */
const prepared = new Set<string>();

/**
 * Prepares a version's rules; each call then only evaluates. The context must fit the schema already
 * (`factFaults`): asking the engine to check it again was half of the time of an evaluation.
 */
export function createAuthorizer(version: Pick<PolicyVersion, "id" | "version" | "statements">): Authorizer {
  const policies = staticPolicies(version.statements);
  const clauseOf = new Map(version.statements.map(({ id, clauseId }) => [id, clauseId]));
  const setId = createHash("sha256").update(JSON.stringify(policies)).digest("hex");
  if (!prepared.has(setId)) {
    const parsed = engine().preparsePolicySet(setId, { staticPolicies: policies });
    if (parsed.type === "failure")
      throw new Error(
        `policy ${version.id}@${version.version} cannot be prepared: ${parsed.errors[0]?.message}`,
      );
    prepared.add(setId);
  }
  return (action, context) => {
    try {
      const answer = engine().statefulIsAuthorized({
        principal: { type: "Customer", id: "customer" },
        action: { type: "Action", id: action },
        resource: { type: "Order", id: "order" },
        context: context as cedar.Context,
        validateRequest: false,
        preparsedPolicySetId: setId,
        entities: [],
      });
      if (answer.type === "failure") return refused(answer.errors.map((error) => error.message));
      const { decision, diagnostics } = answer.response;
      return {
        allowed: decision === "allow",
        clauseIds: [...new Set(diagnostics.reason.map((id) => clauseOf.get(id) ?? id))],
        errors: diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${error.message}`),
      };
    } catch (error) {
      return refused([`the engine failed: ${messageOf(error)}`]);
    }
  };
}

const refused = (errors: readonly string[]): Answer => ({ allowed: false, clauseIds: [], errors });
