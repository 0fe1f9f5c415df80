/**
 * Cedar: the schema that policies are validated against, and evaluation of a prepared policy set.
 * The schema is closed, so a rule that names an unknown fact, or reads a limit that may be absent
 * without `has`, is refused before it can be published (strict validation).
 */
import * as cedar from "@cedar-policy/cedar-wasm/nodejs";
import type { PolicyVersion } from "./policy.ts";

export const SCHEMA = `
entity Customer;
entity Order;
type Facts = {
  order: {
    currency: String, state: String, daysSinceDelivery: Long, daysSincePlaced: Long,
    paidMinor: Long, refundableMinor: Long, gift: Bool, disputed: Bool, returnReceived: Bool,
  },
  request: { amountMinor: Long, namesItems: Bool, includesFinalSale: Bool, wholeOrder: Bool, kind: String },
  customer: { lifetimeSpendMinor: Long, refundsInWindow: Long, refundedInWindowMinor: Long },
  limits: {
    returnWindowDays: Long, highValueLifetimeSpendMinor: Long, refundLimitMaxCount: Long,
    unattendedMaxMinor?: Long, refundLimitMaxAmountMinor?: Long,
  },
};
action "refund", "refund.unattended", "return", "return.unattended"
  appliesTo { principal: [Customer], resource: [Order], context: Facts };
`;

/** One Cedar statement of a document; `id` is `clause#n`. */
export interface Statement {
  readonly id: string;
  readonly text: string;
  /** Line of the document on which the text starts. */
  readonly line: number;
}

export interface StatementFault {
  readonly line: number;
  readonly message: string;
  readonly help: string | null;
}

const clauseOf = (statementId: string): string => statementId.replace(/#\d+$/, "");

/** Splits a block into statements, or says why it cannot be read. */
export function splitStatements(text: string): string[] | StatementFault {
  const parts = cedar.policySetTextToParts(text);
  if (parts.type === "failure") return faultOf(text, 1, parts.errors);
  if (parts.policy_templates.length > 0)
    return { line: 1, message: "templates are not supported", help: "Write the statement out." };
  return parts.policies;
}

/** Everything that strict validation finds wrong. */
export function validateStatements(statements: readonly Statement[]): StatementFault[] {
  const answer = cedar.validate({
    validationSettings: { mode: "strict" },
    schema: SCHEMA,
    policies: { staticPolicies: Object.fromEntries(statements.map(({ id, text }) => [id, text])) },
  });
  if (answer.type === "failure") return [faultOf("", 1, answer.errors)];
  return [...answer.validationErrors, ...answer.validationWarnings].map(({ policyId, error }) => {
    const statement = statements.find(({ id }) => id === policyId);
    const fault = faultOf(statement?.text ?? "", statement?.line ?? 1, [error]);
    return { ...fault, message: fault.message.replace(/for policy `[^`]*`,\s*/, "") };
  });
}

function faultOf(text: string, firstLine: number, errors: readonly cedar.DetailedError[]): StatementFault {
  const [error] = errors;
  const start = error?.sourceLocations?.[0]?.start ?? 0;
  const before = Buffer.from(text).subarray(0, start).toString();
  return {
    line: firstLine + before.split("\n").length - 1,
    message: error?.message ?? "cannot be read",
    help: error?.help ?? null,
  };
}

export type Authorizer = (
  action: string,
  context: object,
) => { readonly allowed: boolean; readonly clauseIds: readonly string[]; readonly errors: readonly string[] };

let prepared = 0;
let schemaReady = false;

/** Prepares a version's statements once; each call then only evaluates. */
export function createAuthorizer(version: PolicyVersion): Authorizer {
  if (!schemaReady) {
    cedar.preparseSchema("facts", SCHEMA);
    schemaReady = true;
  }
  prepared += 1;
  const setId = `${version.hash}#${prepared}`;
  const policies = Object.fromEntries(version.statements.map(({ id, text }) => [id, text]));
  const parsed = cedar.preparsePolicySet(setId, { staticPolicies: policies });
  if (parsed.type === "failure")
    throw new Error(`policy ${version.id}@${version.version} cannot be prepared`);
  return (action, context) => {
    const answer = cedar.statefulIsAuthorized({
      principal: { type: "Customer", id: "customer" },
      action: { type: "Action", id: action },
      resource: { type: "Order", id: "order" },
      context: context as cedar.Context,
      preparsedSchemaName: "facts",
      validateRequest: true,
      preparsedPolicySetId: setId,
      entities: [],
    });
    if (answer.type === "failure") {
      return { allowed: false, clauseIds: [], errors: answer.errors.map((error) => error.message) };
    }
    const { decision, diagnostics } = answer.response;
    return {
      allowed: decision === "allow",
      clauseIds: [...new Set(diagnostics.reason.map(clauseOf))],
      errors: diagnostics.errors.map(({ policyId, error }) => `${policyId}: ${error.message}`),
    };
  };
}
