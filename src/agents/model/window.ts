/**
 * A view as a question to a model, within its window. What matters is kept in this order: instructions
 * and tools, the message in focus, the open offer, the latest steps, the customer's actions, then the
 * conversation from its end. A call and its result stay together, whatever is cut. Pure.
 */
import type { ModelMessage } from "ai";
import { LIMITS } from "../../kernel/limits.ts";
import type { ModelQuestion, ToolDescription } from "../../models/models.ts";
import { estimateTokens } from "../../models/tokens.ts";
import type { CallOutcome, RunView, StepRecord } from "../agent.ts";
import { dataBlock, dataJson, presentable } from "./data.ts";

export interface WindowOptions {
  readonly instructions: string;
  readonly tools: readonly ToolDescription[];
  /** Of question and answer together. */
  readonly contextTokens: number;
  readonly answerTokens: number;
  /** What was said before is left out: a provider's filter may have stumbled over it. */
  readonly withoutHistory?: boolean;
  /** Ours: why the answer before was not used. */
  readonly note?: string;
}

const ACTIONS_SHOWN = 5;
/** Wrapping of messages, which the estimate of their text does not see. */
const MESSAGE_TOKENS = 12;
const LONGEST_EARLIER_CHARS = 1_500;

export function questionOf(view: RunView, options: WindowOptions): ModelQuestion {
  const { instructions, tools } = options;
  const maxOutputTokens = Math.min(options.answerTokens, Math.floor(options.contextTokens / 4));
  let left = options.contextTokens - maxOutputTokens - estimateTokens(instructions) - tokensOf(tools);

  // Half of what is left at most: the answer to the message needs its facts too.
  const focusText = cutToTokens(view.focus.text, Math.max(100, Math.floor(left / 2)));
  const later = view.later.slice(0, 3).map((text) => cutToTokens(text, 200));
  const focus = dataBlock("message", {
    from: "customer",
    text: focusText,
    ...(later.length > 0 ? { and_since_then: later } : {}),
  });
  left -= estimateTokens(focus) + MESSAGE_TOKENS;

  const about = dataBlock("situation", {
    customer_first_name: view.customer.firstName,
    open_offer: view.offer === null ? null : { summary: view.offer.summary, answered: view.consent },
    refunds_and_returns: view.actions.slice(0, ACTIONS_SHOWN).map((action) => ({
      kind: action.kind,
      state: action.state,
      order_number: action.orderNumber,
      items: action.items,
      what_may_be_said: action.text,
    })),
  });
  left -= estimateTokens(about) + MESSAGE_TOKENS;

  const steps = stepMessages(view, left);
  left -= steps.tokens;

  const history = options.withoutHistory === true ? [] : latest(view, left);
  const note = options.note === undefined ? [] : [`Note of the shop's system: ${options.note}`];
  return {
    instructions,
    tools,
    maxOutputTokens,
    messages: [
      {
        role: "user",
        content: history.length === 0 ? about : `${about}\n${dataBlock("conversation_before", history)}`,
      },
      { role: "user", content: [...note, focus].join("\n") },
      ...steps.messages,
    ],
  };
}

/** The same tools are described in every question. */
const TOOL_TOKENS = new WeakMap<readonly ToolDescription[], number>();
function tokensOf(tools: readonly ToolDescription[]): number {
  const known = TOOL_TOKENS.get(tools) ?? estimateTokens(dataJson(tools));
  TOOL_TOKENS.set(tools, known);
  return known;
}

/** The end of the conversation, oldest first, as much as fits. */
function latest(view: RunView, tokens: number): { from: string; text: string }[] {
  let left = tokens;
  const kept: { from: string; text: string }[] = [];
  for (const { author, text } of view.transcript.toReversed()) {
    const entry = { from: author, text: text.slice(0, LONGEST_EARLIER_CHARS) };
    left -= estimateTokens(dataJson(entry));
    if (left < 0) break;
    kept.unshift(entry);
  }
  return kept;
}

/** Calls with their results, the latest whole; earlier ones lose their results first, never their pairing. */
function stepMessages(view: RunView, tokens: number): { messages: ModelMessage[]; tokens: number } {
  let left = tokens;
  const pairs: ModelMessage[][] = [];
  let spent = 0;
  for (const [index, step] of [...view.steps.entries()].reverse()) {
    const most = Math.min(LIMITS.modelToolResultTokens, Math.max(0, left - 100));
    const result = cutToTokens(dataJson(outcomeFor(step.outcome, view)), most);
    const pair = pairOf(step, index, result === "" ? '"(left out: too long ago)"' : result);
    const cost = estimateTokens(JSON.stringify(pair)) + MESSAGE_TOKENS;
    left -= cost;
    spent += cost;
    pairs.unshift(pair);
  }
  return { messages: pairs.flat(), tokens: spent };
}

function pairOf({ call }: StepRecord, index: number, result: string): ModelMessage[] {
  const toolCallId = `step_${index + 1}`;
  const toolName = toolNameFor(call.tool);
  return [
    {
      role: "assistant",
      content: [{ type: "tool-call", toolCallId, toolName, input: inputFor(call.args) }],
    },
    {
      role: "tool",
      content: [{ type: "tool-result", toolCallId, toolName, output: { type: "text", value: result } }],
    },
  ];
}

/** Providers refuse a name with other characters, also in what came before. */
const toolNameFor = (name: string): string => name.replace(/[^\w-]/g, "_").slice(0, 60) || "unknown";

const inputFor = (args: unknown): object =>
  args !== null && typeof args === "object" && !Array.isArray(args) ? args : { unreadable: args ?? null };

/** What came of a call, in a form that a model reads: a code and a short text for what failed. */
export function outcomeFor(outcome: CallOutcome, view: Pick<RunView, "tenant">): unknown {
  switch (outcome.kind) {
    case "result":
      return { ok: true, data: presentable(outcome.value, view.tenant.timeZone) };
    case "denied":
      return {
        ok: false,
        why: outcome.explanation,
        code: outcome.code,
        policy: outcome.clauses.map(({ clauseId, title }) => ({ clause: clauseId, title })),
      };
    case "conflict":
      return {
        ok: false,
        code: outcome.code,
        why: outcome.message,
        what_may_be_said: outcome.action?.text ?? null,
      };
    case "invalid":
    case "unavailable":
      return { ok: false, code: outcome.code, why: outcome.message.slice(0, 500) };
  }
}

/** The beginning of a text, with a mark where it was cut; at most so many tokens by our estimate. */
function cutToTokens(text: string, tokens: number): string {
  if (estimateTokens(text) <= tokens) return text;
  if (tokens <= 10) return "";
  // A character is one token at most by the estimate (three bytes), four-byte ones a little more.
  let end = Math.min(text.length, tokens * 3);
  while (end > 0 && estimateTokens(text.slice(0, end)) > tokens - 8) end = Math.floor(end * 0.9);
  // Not through the middle of a pair of surrogates or of an escape.
  return `${text.slice(0, end).replace(/[\ud800-\udbff]$|\\u?[0-9a-f]{0,3}$/, "")} … (cut)`;
}
