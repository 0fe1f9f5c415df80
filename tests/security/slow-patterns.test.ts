/**
 * No pattern of the product can be kept busy by a text (ReDoS). Each literal is given texts that were made from its own
 * loops, as long as a message may be, in a thread that is ended when it takes too long: what reads one text in many
 * ways would take minutes. It is an attack and no proof: patterns that are made from lists of words are held to the
 * same by the tests of their rooms ("in time linear in it").
 */
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { LIMITS } from "../../src/kernel/limits.ts";
import { attacksOn, literalPatterns, type Pattern } from "./patterns.ts";

/** Of one pattern over one text, on a busy machine; what is linear takes under a millisecond. */
const TEXT_MS = 4_000;

const WORKER = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ source, flags, texts }) => {
    const pattern = new RegExp(source, flags.includes("g") ? flags : flags + "g");
    for (const text of texts) {
      text.replace(pattern, "");
      parentPort.postMessage("read");
    }
    parentPort.postMessage("done");
  });`;

/** The patterns that took too long, each with the text that it was reading. */
async function slowOf(cases: readonly { pattern: Pattern; texts: readonly string[] }[]): Promise<string[]> {
  const slow: string[] = [];
  let worker = new Worker(WORKER, { eval: true });
  for (const { pattern, texts } of cases) {
    const isSlow = await new Promise<boolean>((resolve) => {
      let timer = setTimeout(() => resolve(true), TEXT_MS);
      worker.removeAllListeners("message").on("message", (said) => {
        clearTimeout(timer);
        if (said === "done") resolve(false);
        else timer = setTimeout(() => resolve(true), TEXT_MS);
      });
      worker.postMessage({ source: pattern.source, flags: pattern.flags, texts });
    });
    if (!isSlow) continue;
    slow.push(`${pattern.from}: /${pattern.source.slice(0, 120)}/${pattern.flags}`);
    await worker.terminate();
    worker = new Worker(WORKER, { eval: true });
  }
  await worker.terminate();
  return slow;
}

const withAttacks = (patterns: readonly Pattern[]) =>
  [...new Map(patterns.map((it) => [`${it.source}/${it.flags}`, it])).values()]
    .map((pattern) => ({ pattern, texts: attacksOn(pattern, LIMITS.messageChars) }))
    .filter(({ texts }) => texts.length > 0);

test("the attack finds patterns that are known to be slow", async () => {
  const known = ["^(a+)+$", "^(?:\\w+\\s?)+$", "(?:x|x)*y", "^(\\d|\\d\\d)+$"].map((source) => ({
    source,
    flags: "",
    from: "known",
  }));
  expect(await slowOf(withAttacks(known))).toHaveLength(known.length);
}, 60_000);

test.each(["src", "sandbox", "web"])(
  "no pattern of %s is kept busy by a text",
  async (folder) => {
    const cases = withAttacks(literalPatterns(folder));
    expect(cases.length).toBeGreaterThan(0);
    expect(await slowOf(cases)).toEqual([]);
  },
  180_000,
);
