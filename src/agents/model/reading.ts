/** What a model's answer is as a proposal, if it is one: text for a customer, or calls to be made one by one. Pure. */
import { canonicalJson } from "../../kernel/canonical.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { ModelAnswer } from "../../models/models.ts";
import type { Call, RunView, StepRecord } from "../agent.ts";

export type Reading =
  | { readonly kind: "calls"; readonly calls: readonly Call[] }
  | { readonly kind: "text"; readonly text: string }
  /** `note` is for the model's next try; it names no text of anybody. */
  | { readonly kind: "unusable"; readonly what: string; readonly note: string };

export function readAnswer(answer: ModelAnswer, view: RunView): Reading {
  if (answer.calls.length > 0) {
    const wanted = distinct(
      answer.calls.map(({ tool, args }): Call => ({ type: "call", tool: tool.slice(0, 100), args })),
    );
    const fresh = wanted.filter((call) => !wasMade(call, view.steps));
    // A call whose result it has already: it would bring nothing new.
    return fresh.length > 0
      ? { kind: "calls", calls: fresh.slice(0, LIMITS.modelCallsPerAnswer) }
      : {
          kind: "unusable",
          what: "the same call again",
          note: "you have the result of that call already. Answer the customer in words now, or give the conversation to a person.",
        };
  }
  const written = withoutEscapes(answer.text);
  const text = answer.isCut ? wholeSentences(written) : written.trim();
  if (text === "")
    return {
      kind: "unusable",
      what: "no whole sentence",
      note: "your answer was too long and was cut. Answer in one to four short sentences.",
    };
  if (!isProse(text))
    return {
      kind: "unusable",
      what: "not prose",
      note: "your answer was not plain text for a person. To use a tool, call it; else answer in plain sentences, without JSON or code.",
    };
  return { kind: "text", text };
}

const keyOf = ({ tool, args }: Call): string => {
  try {
    return canonicalJson([tool, args ?? null]);
  } catch {
    return JSON.stringify([tool, String(args)]);
  }
};

/** Identical calls of one answer are one. */
function distinct(calls: readonly Call[]): readonly Call[] {
  const keys = calls.map(keyOf);
  return calls.filter((_, index) => keys.indexOf(keys[index] as string) === index);
}

export function wasMade(call: Call, steps: readonly StepRecord[]): boolean {
  const key = keyOf(call);
  // What was unavailable may be tried again: the run's own limits count it.
  return steps.some((step) => keyOf(step.call) === key && step.outcome.kind !== "unavailable");
}

/** A small model copies the line ends of a passage as it saw them, as JSON: `\\n`. */
const withoutEscapes = (text: string): string => text.replace(/\\[nrt]/g, " ");

/** Up to the end of the last whole sentence; empty when there is none. */
const wholeSentences = (text: string): string =>
  upToLast(text, /[.!?…。！？](?=["'”’)\]]*(?:\s|$))["'”’)\]]*/gu);

/** Of a text that is still being written: the sentences after which another one has begun. */
export const begunSentences = (text: string): string =>
  upToLast(withoutEscapes(text), /[.!?…](?=["'”’)\]]*\s+\S)["'”’)\]]*|[。！？]+(?=\s*\S)/gu);

function upToLast(text: string, end: RegExp): string {
  const last = [...text.matchAll(end)].at(-1);
  return last === undefined ? "" : text.slice(0, last.index + last[0].length).trim();
}

/** Text that is for a person, and not a program's: no JSON, no code block, no tags of prompts and templates. */
export function isProse(text: string): boolean {
  if (/^\s*(?:```|[[{]\s*["[{\]}])/u.test(text)) return false;
  if (
    /```|<\/?(?:data|tool|function|system|assistant|user|think|invoke|parameter)\b|<\|[^|]*\|>|\[\/?INST\]/iu.test(
      text,
    )
  )
    return false;
  // An object in the middle of a sentence: `{"tool": …}`.
  return !/\{\s*"[^"]{1,60}"\s*:/u.test(text);
}
