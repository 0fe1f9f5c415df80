/**
 * The whole product with a language model: the scripted model behind a real HTTP server, the real
 * libraries, the real tiers. The models' clock runs twenty times as fast as time, so that pauses between
 * retries and time-outs are real but short.
 */
import { type ModelSandbox, serveModelSandbox } from "../../sandbox/model/server.ts";
import { createAssistant } from "../../src/assistant.ts";
import { type Clock, seededRandom, systemClock } from "../../src/kernel/ports.ts";
import type { Models } from "../../src/models/models.ts";
import type { ModelSettings } from "../../src/models/settings.ts";
import { createTestSystem, type TestOptions, type TestSystem } from "./system.ts";

const HASTE = 20;

export function hastenedClock(factor = HASTE): Clock {
  const startMs = systemClock.now();
  return {
    now: () => startMs + (systemClock.now() - startMs) * factor,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
    after: (ms, fn) => systemClock.after(ms / factor, fn),
  };
}

/** Two tiers of one server: a small model, and a large one twenty times as dear. */
export const settingsFor = (url: string, more: Partial<ModelSettings> = {}): ModelSettings => ({
  small: {
    provider: "compatible",
    id: "small",
    price: { inputMicros: 250_000, cachedMicros: 250_000, outputMicros: 2_000_000 },
  },
  large: {
    provider: "compatible",
    id: "large",
    price: { inputMicros: 5_000_000, cachedMicros: 5_000_000, outputMicros: 25_000_000 },
  },
  fallback: null,
  providers: {
    openai: { apiKey: "sk-test", baseUrl: url },
    anthropic: { apiKey: "sk-test", baseUrl: url },
    compatible: { apiKey: null, baseUrl: url },
  },
  contextTokens: 16_000,
  timeoutMs: 18_000,
  messageBudgetMicros: 1_000_000,
  dayBudgetMicros: 100_000_000,
  minConfidence: -2,
  asksLogprobs: true,
  answerTokens: 800,
  reasoning: null,
  openaiInterface: "chat",
  ...more,
});

export interface ModelSystem extends TestSystem {
  readonly model: ModelSandbox;
  readonly models: Models;
}

export async function createModelSystem(
  model: ModelSandbox,
  more: Partial<ModelSettings> = {},
  options: Omit<TestOptions, "agent"> = {},
): Promise<ModelSystem> {
  model.reset();
  let models: Models | undefined;
  const test = await createTestSystem({
    ...options,
    agent: ({ store, onError }) => {
      const made = createAssistant({
        settings: settingsFor(model.url, more),
        store,
        clock: hastenedClock(),
        random: seededRandom(3),
        onError,
      });
      models = made.models ?? undefined;
      return made.agent;
    },
  });
  const { close } = test;
  // The kit's getters (`system`) stay getters.
  return Object.defineProperties(test, {
    model: { value: model },
    models: { get: () => models },
    // The next test has the same database: nothing of this one is written into it late.
    close: {
      value: async () => {
        await models?.settled();
        await close();
      },
    },
  }) as ModelSystem;
}

export const startModel = (): Promise<ModelSandbox> => serveModelSandbox({ port: 0, clock: systemClock });
