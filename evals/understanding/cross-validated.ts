/** Every written line judged by a model that has not seen it: needs nothing but this repository. */
import type { Model } from "../../src/agents/understanding/model.ts";
import { theModel } from "../../src/agents/understanding/model.ts";
import { MESSAGE_INTENTS } from "../../src/agents/understanding/signals.ts";
import { understand } from "../../src/agents/understanding/understand.ts";
import type { Table } from "../report.ts";
import { abstention, countSeconds, figure, flagFigures, moodOf, type Seconds } from "./judging.ts";
import {
  accuracy,
  calibrationError,
  confusion,
  type Detected,
  f1Of,
  type Judged,
  macroF1,
} from "./scores.ts";
import { FOLDS, fittedWithout } from "./trained.ts";
import type { Example } from "./written.ts";

interface Read {
  readonly example: Example;
  readonly signals: ReturnType<typeof understand>;
}

/** The shipped model is calibrated once; so is each that stands for it here. */
function calibrated(model: Model): Model {
  const { temperature, asksTemperature, languageTemperature } = theModel().header;
  return { ...model, header: { ...model.header, temperature, asksTemperature, languageTemperature } };
}

function heldOutReadings(): Read[] {
  const readings: Read[] = [];
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const { model, heldOut } = fittedWithout(fold, false);
    const asShipped = calibrated(model);
    for (const example of heldOut) {
      if (!example.source.startsWith("written-") || example.group.includes("+")) continue;
      readings.push({ example, signals: understand(example.text, asShipped) });
    }
  }
  return readings;
}

export function crossValidated(): readonly Table[] {
  const readings = heldOutReadings();
  return [intents(readings), signals(readings)];
}

function intents(readings: readonly Read[]): Table {
  const judged: Judged[] = [];
  const languages = new Map<string, Judged[]>();
  const seconds: Seconds = { there: 0, heard: 0, absent: 0, imagined: 0 };
  for (const { example, signals } of readings) {
    const [first] = signals.intents;
    const it = { gold: example.intent, said: first?.intent ?? "", confidence: first?.confidence ?? 0 };
    judged.push(it);
    languages.set(example.language, [...(languages.get(example.language) ?? []), it]);
    countSeconds(seconds, signals.intents, example.intent, example.also ?? []);
  }
  return {
    title: "Understanding: intent, cross-validated over the written lines",
    figures: [
      figure(`macro-F1, ${FOLDS} folds (n = ${judged.length})`, macroF1(judged), null, FLOORS.pooled),
      ...[...languages].map(([language, its]) =>
        figure(
          `macro-F1, ${language} (n = ${its.length})`,
          macroF1(its),
          null,
          language === "en" ? FLOORS.english : FLOORS.others,
        ),
      ),
      figure("calibration error (ECE)", calibrationError(judged), null, 0.04, "lower"),
      figure(
        `second wish heard too (n = ${seconds.there})`,
        seconds.heard / seconds.there,
        null,
        FLOORS.second,
      ),
      figure("second wish heard that is none", seconds.imagined / seconds.absent, null, 0.09, "lower"),
    ],
    notes: [
      "A line with all its variants is on one side of a split, and so are the translations of a story, so what is measured is how far understanding reaches beyond the phrasings it has seen. Most lines are the only one of their kind: this is the hardest measure here, and the one that no reading of a test set flatters.",
      confusion(judged, MESSAGE_INTENTS),
      abstention(judged),
    ].join("\n\n"),
  };
}
const FLOORS = { pooled: 0.73, english: 0.75, others: 0.695, second: 0.67 };

/** A message of at most this many words is short: little to tell a language by. */
const SHORT_WORDS = 4;

function signals(readings: readonly Read[]): Table {
  const language = (holds: (words: number) => boolean): Detected[] =>
    readings
      .filter(({ example }) => holds(example.text.split(/\s+/).length))
      .map(({ example, signals }) => ({ gold: true, said: signals.language === example.language }));
  const share = (rows: readonly Detected[]) => rows.filter(({ said }) => said).length / rows.length;
  const short = language((words) => words <= SHORT_WORDS);
  const longer = language((words) => words > SHORT_WORDS);
  const wrong = readings.filter(
    ({ example, signals }) => signals.language !== null && signals.language !== example.language,
  );
  const moods = readings.map(
    ({ example, signals }): Judged => ({
      gold: example.sentiment ?? "neutral",
      said: moodOf(signals.sentiment),
      confidence: 1,
    }),
  );
  const flag = (of: (read: Read) => Detected) => readings.map(of);
  return {
    title: "Understanding: other signals, cross-validated over the written lines",
    figures: [
      figure(
        `language: right, more than ${SHORT_WORDS} words (n = ${longer.length})`,
        share(longer),
        null,
        0.985,
      ),
      figure(`language: right, short (n = ${short.length})`, share(short), null, 0.88),
      figure("language: wrong (the rest is undecided)", wrong.length / readings.length, null, 0.02, "lower"),
      figure("sentiment: accuracy of three", accuracy(moods), null, 0.735),
      figure("sentiment: F1 of negative", f1Of("negative", moods), null, 0.71),
      ...flagFigures(
        "legal threat",
        flag(({ example, signals }) => ({ gold: example.legal === true, said: signals.threatensLegally })),
        { precision: 0.86, recall: 0.95 },
      ),
      ...flagFigures(
        "wish for a person",
        flag(({ example, signals }) => ({ gold: example.person === true, said: signals.wishesPerson })),
        { precision: 0.86, recall: 0.81 },
      ),
      ...flagFigures(
        "injection",
        flag(({ example, signals }) => ({ gold: example.injection === true, said: signals.injection })),
        { precision: 0.95, recall: 0.71 },
      ),
    ],
    notes: confusion(moods, ["negative", "neutral", "positive"]),
  };
}
