/** The model of a mix of data: fitted on all of it, its confidence calibrated on lines that it had not seen. */
import { createHash } from "node:crypto";
import { featuresOf } from "../../src/agents/understanding/features.ts";
import { HEADS, type Model, sigmoid, softmax } from "../../src/agents/understanding/model.ts";
import { MESSAGE_INTENTS } from "../../src/agents/understanding/signals.ts";
import { LANGUAGES } from "../../src/kernel/language.ts";
import { trainingExamples } from "./examples.ts";
import { FITTING, fitModel, temperatureFor } from "./fitting.ts";
import type { Example } from "./written.ts";

const SEED = 1;
/** Mixes that the shipped model is the mean of; one is enough to calibrate and to cross-validate. */
const MIXES = 3;
const VARIANTS = 8;
export const FOLDS = 5;

/**
 * The fold of a group: all variants of a line are in one. Mixed to the last bit, so that neighbouring lines of a
 * file, which say one thing in several ways, are spread over the folds.
 */
export function foldOf({ group }: Example): number {
  let hash = 0x811c9dc5;
  for (const letter of group) hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % FOLDS;
}

export function trainedModel({ bitext }: { bitext: boolean }): Model {
  const mixes = mixesOf(bitext);
  const model = fitModel(mixes, FITTING);
  return {
    ...model,
    header: { ...model.header, ...calibration({ bitext }), madeOf: fingerprint(mixes.flat()) },
  };
}

const mixesOf = (bitext: boolean): Example[][] =>
  Array.from({ length: MIXES }, (_, index) =>
    trainingExamples({ seed: SEED + index, variants: VARIANTS, bitext }),
  );

/** What the shipped model would be fitted on now. Seconds of work; fitting takes many more. */
export const fingerprintNow = (): string => fingerprint(mixesOf(false).flat());

function fingerprint(examples: readonly Example[]): string {
  const hash = createHash("sha256").update(JSON.stringify(FITTING));
  for (const { text, group, source, ...labels } of examples) {
    const { at, value } = featuresOf(text);
    hash.update(at).update(value).update(JSON.stringify(labels));
  }
  return hash.digest("hex");
}

/** One held-out fold is enough to find three numbers. */
function calibration({
  bitext,
}: {
  bitext: boolean;
}): Pick<Model["header"], "temperature" | "asksTemperature" | "languageTemperature"> {
  const { model, heldOut } = fittedWithout(0, bitext);
  const loss = (chance: number) => -Math.log(Math.max(chance, 1e-9));
  return {
    temperature: temperatureFor(model, heldOut, (logits, { intent }, temperature) =>
      loss(
        softmax(logits, HEADS.intent, MESSAGE_INTENTS.length, temperature)[MESSAGE_INTENTS.indexOf(intent)] ??
          0,
      ),
    ),
    // Of the written lines: nobody doubts that a public row is English.
    languageTemperature: temperatureFor(
      model,
      heldOut.filter(({ source }) => source.startsWith("written-")),
      (logits, { language }, temperature) =>
        loss(
          softmax(logits, HEADS.language, LANGUAGES.length, temperature)[LANGUAGES.indexOf(language)] ?? 0,
        ),
    ),
    asksTemperature: temperatureFor(model, heldOut, (logits, { intent, also }, temperature) =>
      MESSAGE_INTENTS.reduce((sum, name, index) => {
        const chance = sigmoid((logits[HEADS.asks + index] ?? 0) / temperature);
        return sum + loss(name === intent || also?.includes(name) ? chance : 1 - chance);
      }, 0),
    ),
  };
}

/** The model that has not seen a fold, not calibrated, and that fold as typed. */
export function fittedWithout(fold: number, bitext: boolean): { model: Model; heldOut: Example[] } {
  const all = { seed: SEED, variants: VARIANTS, bitext };
  const kept = trainingExamples({ ...all, heldOut: (example) => foldOf(example) === fold });
  const heldOut = trainingExamples({ ...all, variants: 2, heldOut: (example) => foldOf(example) !== fold });
  return { model: fitModel([kept], FITTING), heldOut };
}
