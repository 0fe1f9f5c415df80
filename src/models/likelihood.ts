/**
 * How likely an answer was to the model that wrote it: the mean log-probability of its tokens, read from the
 * stream's own chunks as they come. OpenAI's two interfaces and servers that speak the older one tell it;
 * others say nothing, and then there is none. Pure but for its sum.
 */

export interface Likelihood {
  /** One chunk of a stream, of whatever shape. */
  read(chunk: unknown): void;
  /** Null until a token has told. */
  mean(): number | null;
}

export function likelihood(): Likelihood {
  let sum = 0;
  let count = 0;
  return {
    read(chunk) {
      for (const token of tokensIn(chunk)) {
        const { logprob } = (token ?? {}) as { logprob?: unknown };
        if (typeof logprob !== "number" || !Number.isFinite(logprob)) continue;
        sum += logprob;
        count += 1;
      }
    },
    mean: () => (count === 0 ? null : sum / count),
  };
}

/** Chat completions have them in `choices`, Responses beside each `response.output_text.delta`. */
function tokensIn(chunk: unknown): readonly unknown[] {
  const { type, choices, logprobs } = (chunk ?? {}) as Record<string, unknown>;
  if (type === "response.output_text.delta") return listOf(logprobs);
  const [first] = listOf(choices);
  return listOf((first as { logprobs?: { content?: unknown } | null } | undefined)?.logprobs?.content);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
