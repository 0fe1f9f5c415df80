/**
 * What the model is trained on: public rows that may be shipped, rows of Bitext where this machine has
 * them, and the written sentences with what people do to sentences: slips, greetings, two in one message.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MessageIntent } from "../../src/agents/understanding/signals.ts";
import { dataSetRows } from "../data-sets.ts";
import { choose, type Example, seeded, TRAINING_FOLDER, writtenExamples } from "./written.ts";

interface PublicRow {
  readonly text: string;
  readonly label: MessageIntent;
  readonly source: string;
  readonly source_label: string;
}

const NO_THREATS = new Set(["clinc150", "banking77", "multidogo"]);
const PERSON_LABELS = /handoff|contact_human_agent/;
/** Labels whose rows may or may not ask for a person: no evidence either way. */
const PERSON_UNCLEAR = /contact_customer_service|contact/;

function fromPublic(
  { text, label, source, source_label }: PublicRow,
  index: number,
  weight: number,
): Example {
  const person = PERSON_LABELS.test(source_label) ? true : PERSON_UNCLEAR.test(source_label) ? null : false;
  return {
    text,
    intent: label,
    also: null,
    sentiment: null,
    language: "en",
    // Talk to an assistant and to a bank: nobody threatens there.
    legal: NO_THREATS.has(source) ? false : null,
    person: source === "cucom" || source === "taubench" ? null : person,
    injection: false,
    weight,
    group: `${source}:${index}`,
    source,
  };
}

/** Weight of a public row beside a variant of a written line: chosen on the dev parts. Small sources count for more. */
const PUBLIC_WEIGHT: Readonly<Record<string, number>> = {
  clinc150: 2,
  banking77: 2.2,
  multidogo: 2,
  cucom: 1.4,
  nlupp: 3,
  taubench: 4,
  "rasa-nlu": 2,
};

export function publicExamples(): Example[] {
  return readFileSync(join(TRAINING_FOLDER, "public.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line, index) => {
      const row = JSON.parse(line) as PublicRow;
      return fromPublic(row, index, PUBLIC_WEIGHT[row.source] ?? 1);
    });
}

/** Bitext (CDLA-Sharing 1.0): its rows are not shipped, only what hashed weights keep of them. */
export function bitextExamples(): Example[] {
  const rows = dataSetRows<PublicRow>("understanding/intents/train.cdla-sharing.jsonl") ?? [];
  return rows.map((row, index) => fromPublic(row, index, 1));
}

const FIRST: Readonly<Record<MessageIntent, number>> = {
  "refund-request": 0,
  "return-request": 0,
  "order-status": 1,
  complaint: 2,
  other: 3,
};

/** The one that asks is what a message is about; a complaint or a story beside it is its reason. */
export function together(one: Example, two: Example, between: string): Example {
  const [main, side] = FIRST[one.intent] <= FIRST[two.intent] ? [one, two] : [two, one];
  const also = new Set([
    ...(main.also ?? []),
    ...(side.also ?? []),
    ...(side.intent === "other" ? [] : [side.intent]),
  ]);
  also.delete(main.intent);
  const either = (a: boolean | null, b: boolean | null) =>
    a || b ? true : a === null || b === null ? null : false;
  const negative = one.sentiment === "negative" || two.sentiment === "negative";
  return {
    ...main,
    text: `${one.text}${between}${two.text}`,
    also: [...also],
    sentiment: negative ? "negative" : main.sentiment,
    legal: either(one.legal, two.legal),
    person: either(one.person, two.person),
    injection: either(one.injection, two.injection),
    weight: 0.7,
    group: `${one.group}+${two.group}`,
  };
}

const SLIPS: readonly ((text: string, chance: () => number) => string)[] = [
  (text, chance) => {
    const at = 1 + Math.floor(chance() * Math.max(1, text.length - 2));
    return text.slice(0, at) + text.slice(at + 1);
  },
  (text, chance) => {
    const at = Math.floor(chance() * Math.max(1, text.length - 2));
    return text.slice(0, at) + (text[at + 1] ?? "") + (text[at] ?? "") + text.slice(at + 2);
  },
  (text) => text.replace(/[,.?!¿¡']/g, ""),
  (text) => `${text}??`,
  (text) => `${text}!!!`,
  (text) => text.toUpperCase(),
  (text) => text.normalize("NFD").replace(/[\u0300-\u036f]/g, ""),
];

const AROUND: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
  en: [
    [
      "hi, ",
      "hello ",
      "hey ",
      "good morning, ",
      "so ",
      "um ",
      "dear team, ",
      "i need help, ",
      "can you help me? ",
      "could you please help me with this: ",
      "excuse me, ",
      "i have a problem, ",
      "so basically ",
    ],
    [" please", " thanks", " asap", " thx", ", order 4471", " #2093", " - anna"],
  ],
  es: [
    ["hola, ", "buenas, ", "buenos días, "],
    [" por favor", " gracias", ", pedido 4471", " porfa"],
  ],
  de: [
    ["hallo, ", "guten tag, ", "hi "],
    [" bitte", " danke", ", bestellung 4471", " mfg"],
  ],
  fr: [
    ["bonjour, ", "bjr ", "salut "],
    [" svp", " merci", ", commande 4471", " cordialement"],
  ],
  pt: [
    ["olá, ", "oi, ", "bom dia, "],
    [" por favor", " obrigado", ", pedido 4471", " pfv"],
  ],
  it: [
    ["ciao, ", "buongiorno, ", "salve, "],
    [" per favore", " grazie", ", ordine 4471", " cordiali saluti"],
  ],
};

function asTyped(example: Example, chance: () => number): Example {
  let { text } = example;
  const [before, after] = AROUND[example.language] ?? [[""], [""]];
  if (chance() < 0.25) text = choose(chance, before) + text;
  if (chance() < 0.25) text += choose(chance, after);
  if (chance() < 0.4) text = choose(chance, SLIPS)(text, chance);
  return { ...example, text };
}

export interface Mix {
  readonly seed: number;
  readonly variants: number;
  readonly bitext: boolean;
  /** Leaves out the groups for which it is true: for cross-validation. */
  readonly heldOut?: (example: Example) => boolean;
}

export function trainingExamples({ seed, variants, bitext, heldOut = () => false }: Mix): Example[] {
  const chance = seeded(seed);
  const written = writtenExamples(seed, variants).filter((example) => !heldOut(example));
  const rows = [...publicExamples(), ...(bitext ? bitextExamples() : [])].filter((it) => !heldOut(it));
  const pairs: Example[] = [];
  for (const one of written) {
    if (chance() > 0.5) continue;
    let two = choose(chance, written);
    for (let tries = 0; two.language !== one.language && tries < 40; tries += 1)
      two = choose(chance, written);
    if (two.language !== one.language) continue;
    // Two asks for money or goods have no order of importance: such a message is left to the rules.
    if (one.intent !== two.intent && FIRST[one.intent] === 0 && FIRST[two.intent] === 0) continue;
    pairs.push(together(one, two, choose(chance, [". ", ", ", " ", "! ", "\n", " - "])));
  }
  return [...written.map((it) => asTyped(it, chance)), ...pairs, ...rows];
}
