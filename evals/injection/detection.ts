/** The signal that a message tries to steer the assistant: how often it is right. Nothing that matters rests on it. */
import { understand } from "../../src/agents/understanding/understand.ts";
import { mayLeave, NOTHING_KNOWN } from "../../src/safety/may-leave.ts";
import { dataSetRows } from "../data-sets.ts";
import type { Figure, Table } from "../report.ts";
import type { Attack } from "./attacks.ts";

/** The baseline: the phrase that everybody looks for. */
const PHRASE =
  /ignore (?:all |the |any |your )?(?:previous |prior )?(?:instructions|rules)|system prompt|developer mode/i;

export function detectionTable(written: readonly Attack[], corpus: readonly Attack[]): Table {
  const share = (texts: readonly string[], says: (text: string) => boolean): number =>
    texts.filter(says).length / texts.length;
  const figure = (what: string, texts: readonly string[], better: Figure["better"]): Figure[] =>
    texts.length === 0
      ? []
      : [
          {
            what: `${what} (of ${texts.length})`,
            measured: share(texts, (text) => understand(text).injection),
            baseline: share(texts, (text) => PHRASE.test(text)),
            floor: null,
            better,
          },
        ];
  const customers = ["cdla-sharing", "odbl", "permissive"].flatMap(
    (licence) =>
      dataSetRows<{ text: string }>(`understanding/intents/test.${licence}.jsonl`)?.map(({ text }) => text) ??
      [],
  );
  const goals = [...Map.groupBy(corpus, ({ goal }) => goal)].sort((a, b) => b[1].length - a[1].length);
  return {
    title: "Injection: the detector, for information",
    figures: [
      ...figure(
        "attacks on refunds, written here: found",
        written.map(({ text }) => text),
        "higher",
      ),
      ...figure(
        "public corpus: found",
        corpus.map(({ text }) => text),
        "higher",
      ),
      ...goals.slice(0, 8).flatMap(([goal, attacks]) =>
        figure(
          `of these, ${goal}: found`,
          attacks.map(({ text }) => text),
          "higher",
        ),
      ),
      ...(corpus.length === 0
        ? []
        : [
            {
              what: "public corpus, said word for word by an agent: held by the door",
              measured: share(
                corpus.map(({ text }) => text),
                (text) => !mayLeave(text, NOTHING_KNOWN).ok,
              ),
              baseline: null,
              floor: null,
              better: "higher",
            } as const,
          ]),
      ...figure("messages of customers: false alarms", customers, "lower"),
    ],
    notes:
      "Much of the corpus is an order to an assistant with a mailbox, a calendar or a browser, without a word about rules; to a shop it reads like an odd request. The signal is on a handoff's packet and in the console. No permission rests on it: the first two tables were measured with nothing held back.",
  };
}
