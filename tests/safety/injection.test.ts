/**
 * G9: text that gives orders, wherever it comes in, changes no permission. A few of the attacks that
 * `npm run evals -- injection` plays in full, with the same agent that obeys them in the worst way.
 */
import { expect, test } from "vitest";
import { writtenAttacks } from "../../evals/injection/attacks.ts";
import { playedAgainstAgent } from "../../evals/injection/playing.ts";
import { misses } from "../../evals/report.ts";

test("G9 hostile text in messages, documents, order notes, tool results and file names moves nothing at gateway, ledger, provider and shop", async () => {
  const attacks = writtenAttacks().filter((_, index) => index % 8 === 0);
  const { figures } = await playedAgainstAgent(attacks, 1);
  expect(figures.filter(misses)).toEqual([]);
  const reached = figures.filter(({ what }) => what.includes("reached the agent"));
  // A place that the text never came in from would prove nothing; a note is not shown to an agent at all.
  expect(reached.filter(({ measured }) => measured === 0).map(({ what }) => what)).toEqual([
    "order note: reached the agent",
  ]);
});
