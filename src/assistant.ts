/**
 * The agent that the configuration names: the fixed workflows, and, when a model is configured, the tiers
 * behind them. The server, the tests and the benchmarks build it here.
 */
import type { Agent } from "./agents/agent.ts";
import { createModelAgent } from "./agents/model/model-agent.ts";
import { loadPrompt } from "./agents/model/prompt.ts";
import { createWorkflowAgent } from "./agents/router.ts";
import { createTieredAgent, type TierParts } from "./agents/tiers.ts";
import { understand } from "./agents/understanding/understand.ts";
import type { Clock, Random } from "./kernel/ports.ts";
import { createModels, type Models, nameOf } from "./models/models.ts";
import type { ModelSettings } from "./models/settings.ts";
import { createSpending } from "./models/spending.ts";
import type { Today } from "./orchestrator/traces/replay.ts";
import type { Store } from "./store/store.ts";
import { toolDescriptions } from "./tools/descriptions.ts";

export interface AssistantParts {
  /** Null: no model. */
  readonly settings: ModelSettings | null;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly onError: (error: unknown, about: string) => void;
  readonly understand?: TierParts["understand"];
  /** Tests: how providers are reached. */
  readonly fetch?: typeof fetch;
}

export function createAssistant(parts: AssistantParts): {
  readonly agent: Agent;
  readonly models: Models | null;
  /** Which models are asked, and with which prompt. */
  readonly asks: Today["asks"];
} {
  const workflows = createWorkflowAgent();
  const { settings } = parts;
  if (settings === null) return { agent: workflows, models: null, asks: null };
  const models = createModels({ ...parts, settings, spending: createSpending(parts) });
  const prompt = loadPrompt();
  const model = createModelAgent({
    models,
    tools: toolDescriptions(),
    prompt,
    minConfidence: settings.minConfidence,
  });
  return {
    agent: createTieredAgent({
      workflows,
      model,
      understand: parts.understand === undefined ? understand : parts.understand,
    }),
    models,
    asks: {
      prompt: prompt.version,
      models: {
        small: nameOf(settings.small),
        large: settings.large === null ? null : nameOf(settings.large),
      },
    },
  };
}
