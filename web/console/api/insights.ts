/** How well it goes, and the kill switch, as `/v1/operator` has them. */
import { ask } from "./client.ts";

export interface Figure {
  readonly metric: string;
  readonly title: string;
  /** What it is counted by, and for which value of it. */
  readonly by: string | null;
  readonly label: string | null;
  readonly unit: "ratio" | "seconds" | "usd" | "count";
  readonly numerator: number;
  readonly numerator_is: string;
  readonly denominator: number | null;
  readonly denominator_is: string | null;
  /** Null: there is nothing to divide by. */
  readonly value: number | null;
  readonly target: number | null;
}

export interface Insights {
  readonly from: string;
  readonly to: string;
  readonly figures: readonly Figure[];
}

export const readInsights = (from: string, to: string, signal: AbortSignal) =>
  ask<Insights>("/v1/operator/insights", { query: { from, to }, signal });

export interface SwitchState {
  readonly on: boolean;
  readonly changed_by: string | null;
  readonly changed_at: string | null;
  readonly reason: string | null;
}
export interface KillSwitchState {
  readonly tenant: SwitchState;
  readonly everywhere: SwitchState;
}

export const readKillSwitch = (signal: AbortSignal) =>
  ask<KillSwitchState>("/v1/operator/kill-switch", { signal });
export const setKillSwitch = (on: boolean, reason: string) =>
  ask<KillSwitchState>(`/v1/operator/kill-switch/${on ? "on" : "off"}`, { method: "POST", body: { reason } });
