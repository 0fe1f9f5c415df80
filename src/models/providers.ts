/**
 * The providers: OpenAI, Anthropic, and any server that speaks OpenAI's protocol. Their libraries are
 * loaded when the first model is, not when the server starts.
 */
import type { LanguageModel } from "ai";
import { LIMITS } from "../kernel/limits.ts";
import { ModelFault } from "./faults.ts";
import type { ModelChoice, ModelSettings, Reasoning } from "./settings.ts";

type ProviderOptions = Record<string, Record<string, string | number | boolean>>;

export interface LoadedModel {
  readonly model: LanguageModel;
  /** The library's function: it comes with the provider, so that neither is loaded before. */
  readonly streamText: typeof import("ai").streamText;
  readonly library: typeof import("ai");
  readonly providerOptions: ProviderOptions;
  readonly reasoning: Reasoning | null;
}

/** @throws what the libraries throw for settings that they refuse */
export async function loadModel(
  settings: ModelSettings,
  choice: ModelChoice,
  reach: typeof fetch = fetch,
): Promise<LoadedModel> {
  const access = settings.providers[choice.provider];
  const options = {
    apiKey: access.apiKey ?? "",
    fetch: boundedFetch(reach),
    ...(access.baseUrl === null ? {} : { baseURL: access.baseUrl }),
  };
  const library = await import("ai");
  // Its advice is for developers; it would go to the console of a server.
  (globalThis as { AI_SDK_LOG_WARNINGS?: false }).AI_SDK_LOG_WARNINGS = false;
  const loaded = { library, streamText: library.streamText, reasoning: settings.reasoning };
  switch (choice.provider) {
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const openai = createOpenAI(options);
      const shared = { parallelToolCalls: false };
      if (settings.openaiInterface === "chat") {
        return {
          ...loaded,
          model: openai.chat(choice.id),
          providerOptions: { openai: { ...shared, ...(settings.asksLogprobs ? { logprobs: true } : {}) } },
        };
      }
      return {
        ...loaded,
        model: openai.responses(choice.id),
        providerOptions: {
          openai: {
            ...shared,
            // Else the provider keeps the conversation.
            store: false,
            // One alternative a token: `true` would mean twenty.
            ...(settings.asksLogprobs ? { logprobs: 1 } : {}),
          },
        },
      };
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return {
        ...loaded,
        model: createAnthropic(options)(choice.id),
        providerOptions: { anthropic: { disableParallelToolUse: true } },
      };
    }
    case "compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const provider = createOpenAICompatible({
        ...options,
        name: "compatible",
        baseURL: access.baseUrl ?? "",
        includeUsage: true,
        ...(settings.asksLogprobs
          ? // One alternative a token: llama.cpp answers with twenty unless told.
            { transformRequestBody: (body) => ({ ...body, logprobs: true, top_logprobs: 1 }) }
          : {}),
      });
      return { ...loaded, model: provider.chatModel(choice.id), providerOptions: {} };
    }
  }
}

/** A `fetch` whose answers end with an error once they are too large: nothing buffers a flood. */
function boundedFetch(reach: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await reach(input, init);
    if (response.body === null) return response;
    let bytes = 0;
    const counted = response.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes > LIMITS.modelAnswerBytes) {
            controller.error(
              new ModelFault("too_long", `more than ${LIMITS.modelAnswerBytes} bytes`, { characters: bytes }),
            );
          } else controller.enqueue(chunk);
        },
      }),
    );
    return new Response(counted, response);
  };
}
