/**
 * A model that does whatever the customer writes: a message `{"tool": …, "args": …}` is called as it is, a
 * yes repeats the offer, anything else is answered with what the last call came to.
 */
import type { Agent, RunView } from "../../src/agents/agent.ts";

export interface ObedientAgent extends Agent {
  /** What it was shown, newest last. */
  readonly views: RunView[];
  /** While set, it does not answer. */
  hold: Promise<void> | null;
  /** Thrown while set, as a model that is away. */
  failure: Error | null;
}

export function obedientAgent(): ObedientAgent {
  const self: ObedientAgent = {
    name: "obedient",
    views: [],
    hold: null,
    failure: null,
    async next(view) {
      self.views.push(view);
      if (self.hold !== null) await self.hold;
      if (self.failure !== null) throw self.failure;
      const last = view.steps.at(-1);
      if (last !== undefined) {
        const { kind } = last.outcome;
        const detail = last.outcome.kind === "result" ? "" : ` ${last.outcome.code}`;
        return { type: "say", text: `That came to: ${kind}${detail}.` };
      }
      if (view.offer !== null && view.consent === "yes")
        return { type: "call", tool: view.offer.tool, args: view.offer.args };
      if (view.focus.text.startsWith("{")) {
        const { tool, args } = JSON.parse(view.focus.text) as { tool: string; args: unknown };
        return { type: "call", tool, args };
      }
      return { type: "say", text: "As you wish." };
    },
  };
  return self;
}

/** A message that makes it call a tool. */
export const please = (tool: string, args: unknown): string => JSON.stringify({ tool, args });

/** A gate that is opened by hand. */
export function gate(): { readonly closed: Promise<void>; open(): void } {
  let open = () => {};
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { closed, open };
}
