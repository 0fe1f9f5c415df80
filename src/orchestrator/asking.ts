/**
 * The agent and the gateway, asked on behalf of a run: neither holds the run once its signal aborts, and
 * whatever goes wrong in them comes back as an event, never as an error (but for a simulated crash).
 */
import type { Agent, Call, CallOutcome, RunContext, RunView } from "../agents/agent.ts";
import type { Gateway, GatewayAnswer, GatewayContext } from "../gateway/gateway.ts";
import { ProblemError } from "../kernel/errors.ts";
import { SimulatedCrash } from "../kernel/ports.ts";
import { type ClaimedRun, LeaseLost } from "./claiming.ts";
import type { RunEvent } from "./decide.ts";
import { readProposal } from "./proposal.ts";

export interface Asking {
  agent(
    run: ClaimedRun,
    view: RunView,
    signal: AbortSignal,
    onDraft?: RunContext["onDraft"],
  ): Promise<RunEvent>;
  /** Null when the run ends anyway. */
  gateway(context: GatewayContext, call: Call, signal: AbortSignal): Promise<GatewayAnswer | null>;
}

export function createAsking(parts: {
  agent: Agent;
  gateway: Gateway;
  onError: (error: unknown, about: string) => void;
}): Asking {
  const { agent, gateway, onError } = parts;

  /** A defect in a tool or a connector: the log has it whole, the agent hears a code. */
  const toolFailed = (error: unknown, call: Call, signal: AbortSignal): CallOutcome | null => {
    if (error instanceof SimulatedCrash) throw error;
    if (signal.aborted) return null;
    onError(error, `tool ${call.tool}`);
    return { kind: "unavailable", code: "internal", message: new ProblemError("internal").message };
  };

  return {
    async agent(run, view, signal, onDraft) {
      const context: RunContext = {
        tenantId: run.scope.tenantId,
        runId: run.id,
        modelUses: run.modelUses,
        onModelUse: (use) => run.modelUses.push(use),
        ...(onDraft === undefined ? {} : { onDraft }),
      };
      try {
        // An agent that ignores its signal must not hold the run: its late answer is read by nobody.
        const asked = Promise.resolve().then(() => agent.next(view, signal, context));
        const proposal = readProposal(await unlessAborted(asked, signal));
        return proposal === null ? { type: "malformed" } : { type: "proposed", proposal };
      } catch (error) {
        if (error instanceof SimulatedCrash) throw error;
        if (signal.aborted) return aborted(signal);
        onError(error, `agent ${agent.name}`);
        return { type: "agent_failed" };
      }
    },

    /** A connection that is lost once is no answer for a customer: what only reads is read once more. */
    gateway(context, call, signal) {
      const ask = () => unlessAborted(gateway.call(context, call), signal);
      return ask()
        .catch((error: unknown) => {
          if (error instanceof SimulatedCrash || signal.aborted) throw error;
          onError(error, `tool ${call.tool}, once more`);
          return ask();
        })
        .catch((error: unknown) => toolFailed(error, call, signal));
    },
  };
}

/** Why a run's signal aborted. @throws LeaseLost when the run is no longer this worker's */
export function aborted(signal: AbortSignal): RunEvent {
  if (signal.reason === "cancelled") return { type: "cancelled" };
  if (signal.reason === "deadline") return { type: "deadline" };
  throw new LeaseLost(String(signal.reason));
}

/** The work's answer; rejects as soon as the signal aborts, whether the work listens to it or not. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}
