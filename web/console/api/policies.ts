/** Policies as `/v1/operator/policies` has them. */

import { ask } from "./client.ts";
import type { Verdict } from "./records.ts";

export interface PolicyHead {
  readonly policy_id: string;
  readonly version: string;
  readonly title: string;
  readonly effective_from: string;
  readonly governed_by: "order_placed" | "request_made";
  readonly state: "past" | "current" | "future";
  readonly hash: string;
  readonly published_at: string;
  readonly published_by: string;
}
export interface PolicyText extends PolicyHead {
  readonly source: string;
}
export interface PolicyDifference {
  readonly from: string;
  readonly to: string;
  readonly clauses: readonly {
    readonly clause_id: string;
    readonly kind: "added" | "removed" | "changed";
    readonly title: string;
    readonly parts: readonly string[];
  }[];
  readonly limits: readonly {
    readonly limit: string;
    readonly before: number | null;
    readonly after: number | null;
  }[];
  readonly lines: readonly { readonly kind: "same" | "removed" | "added"; readonly text: string }[];
}
export interface PolicyCheck {
  readonly valid: boolean;
  readonly faults: readonly {
    readonly line: number;
    readonly column: number | null;
    readonly message: string;
    readonly fix: string;
  }[];
  readonly version: string | null;
  readonly effective_from: string | null;
}
export interface PolicyPreview {
  readonly decisions: number;
  readonly changed: readonly {
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
  }[];
}

const AT = "/v1/operator/policies";
export const policyList = (signal: AbortSignal) =>
  ask<{ policies: PolicyHead[]; next_free_day: string }>(AT, { signal });
export const policyText = (version: string, signal: AbortSignal) =>
  ask<PolicyText>(`${AT}/versions/${encodeURIComponent(version)}`, { signal });
export const policyDifference = (from: string, to: string, signal: AbortSignal) =>
  ask<PolicyDifference>(`${AT}/difference`, { query: { from, to }, signal });
export const checkPolicy = (source: string) =>
  ask<PolicyCheck>(`${AT}/check`, { method: "POST", body: { source } });
export const previewPolicy = (source: string, last: number) =>
  ask<PolicyPreview>(`${AT}/preview`, { method: "POST", body: { source, last } });
export const publishPolicy = (source: string) => ask<PolicyText>(AT, { method: "POST", body: { source } });
export const withdrawPolicy = (version: string) =>
  ask<{ withdrawn: string }>(`${AT}/versions/${encodeURIComponent(version)}/withdraw`, { method: "POST" });
