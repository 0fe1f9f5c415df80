/** An answer of the scripted model in the words of OpenAI's protocol: whole, or as chunks of a stream. */
import { textOf } from "./exchange.ts";
import type { ChatRequest, Turn } from "./server.ts";

const CREATED = 1_764_600_000;
const DEFAULT_LOGPROB = -0.05;

/** Words with the space before them: what stands for tokens here. */
const tokensOf = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];

const callsOf = (turn: Turn) =>
  (turn.calls ?? []).map(({ name, args }, index) => ({
    index,
    id: `call_${index + 1}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}) },
  }));

const finishOf = (turn: Turn): string =>
  turn.finish ?? ((turn.calls ?? []).length > 0 ? "tool_calls" : "stop");

/** About what a tokenizer would count: a quarter of the characters. */
function usageOf(request: ChatRequest, turn: Turn) {
  const asked = request.messages.reduce((sum, { content }) => sum + textOf(content).length, 0);
  const tools = JSON.stringify(request.tools ?? []).length;
  const said = (turn.text ?? "").length + JSON.stringify(callsOf(turn)).length - 2;
  const prompt_tokens = Math.ceil((asked + tools) / 4);
  const completion_tokens = Math.max(1, Math.ceil(said / 4));
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}

const logprobsOf = (request: ChatRequest, turn: Turn, tokens: readonly string[]) =>
  request.logprobs !== true || turn.logprob === null
    ? null
    : {
        content: tokens.map((token) => ({
          token,
          logprob: turn.logprob ?? DEFAULT_LOGPROB,
          bytes: null,
          top_logprobs: [],
        })),
        refusal: null,
      };

export function wholeAnswer(request: ChatRequest, turn: Turn) {
  const calls = callsOf(turn).map(({ index: _index, ...call }) => call);
  return {
    id: "chatcmpl-scripted",
    object: "chat.completion",
    created: CREATED,
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: turn.text ?? null,
          ...(calls.length > 0 ? { tool_calls: calls } : {}),
        },
        logprobs: logprobsOf(request, turn, tokensOf(turn.text ?? "")),
        finish_reason: finishOf(turn),
      },
    ],
    usage: usageOf(request, turn),
  };
}

export function* answerChunks(request: ChatRequest, turn: Turn): Generator<object> {
  const chunk = (delta: object, more: object = {}) => ({
    id: "chatcmpl-scripted",
    object: "chat.completion.chunk",
    created: CREATED,
    model: request.model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: null, ...more }],
  });
  yield chunk({ role: "assistant", content: "" });
  for (const token of tokensOf(turn.text ?? "")) {
    yield chunk({ content: token }, { logprobs: logprobsOf(request, turn, [token]) });
  }
  for (const { index, id, type, function: called } of callsOf(turn)) {
    yield chunk({ tool_calls: [{ index, id, type, function: { name: called.name, arguments: "" } }] });
    const half = Math.ceil(called.arguments.length / 2);
    for (const part of [called.arguments.slice(0, half), called.arguments.slice(half)]) {
      if (part !== "") yield chunk({ tool_calls: [{ index, function: { arguments: part } }] });
    }
  }
  yield chunk({}, { finish_reason: finishOf(turn) });
  if (request.stream_options?.include_usage === true) {
    yield {
      id: "chatcmpl-scripted",
      object: "chat.completion.chunk",
      created: CREATED,
      model: request.model,
      choices: [],
      usage: usageOf(request, turn),
    };
  }
}
