/** The room `knowledge` as the product has it, with its own embedding model, over documents of an evaluation. */
import { fileURLToPath } from "node:url";
import { loadPolicyFiles } from "../../src/gateway/policy/versions.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { type Clock, systemClock } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import type { Embedder } from "../../src/knowledge/embedding/embedder.ts";
import { createHashedEmbedder } from "../../src/knowledge/embedding/hashed.ts";
import { createSentenceEncoder } from "../../src/knowledge/embedding/sentence-encoder.ts";
import { createKnowledge, type Knowledge } from "../../src/knowledge/knowledge.ts";
import type { Ranked } from "../../src/knowledge/ranking.ts";
import { loadKnowledgeFiles } from "../../src/knowledge/seeding.ts";
import { openEmbedded } from "../../src/store/embedded.ts";
import { migrate } from "../../src/store/migrate.ts";
import { createStore } from "../../src/store/store.ts";
import { seedTenants } from "../../src/system.ts";
import type { Known } from "./baselines.ts";

const TENANTS = [
  { id: "northwind" as TenantId, name: "Northwind", currency: "USD", timeZone: "America/New_York" },
  { id: "kestrel" as TenantId, name: "Kestrel", currency: "EUR", timeZone: "Europe/Berlin" },
];
const folder = (name: string) => fileURLToPath(new URL(`../../${name}/`, import.meta.url));

/** What is measured is how good answers are, on a machine as busy as it likes: no question gives up its embedding. */
const PATIENT: Clock = { ...systemClock, after: (ms, fn) => systemClock.after(ms * 1_000, fn) };

export interface EvaluatedRoom {
  readonly knowledge: Knowledge;
  close(): Promise<void>;
}

export async function openRoom(embedder: Embedder = createSentenceEncoder(PATIENT)): Promise<EvaluatedRoom> {
  const store = createStore(await openEmbedded(undefined));
  await migrate(store.database);
  await seedTenants(store, systemClock, TENANTS, () => loadPolicyFiles(folder("policies")));
  const knowledge = createKnowledge({
    store,
    clock: PATIENT,
    embedders: [embedder],
    tenants: TENANTS.map(({ id }) => id),
    timeZoneOf: (tenantId) => TENANTS.find(({ id }) => id === tenantId)?.timeZone ?? "UTC",
    onError: (error) => {
      throw error;
    },
  });
  return {
    knowledge,
    async close() {
      await knowledge.stop();
      await store.close();
    },
  };
}

/** The documents of this repository. */
export async function shipped(embedder?: Embedder): Promise<EvaluatedRoom> {
  const room = await openRoom(embedder);
  const files = await loadKnowledgeFiles(folder("knowledge"));
  for (const { id } of TENANTS) {
    await room.knowledge.seed(tenantScope(id), files);
    await room.knowledge.index(id);
  }
  return room;
}

/** What is embedded of them and of the policies: passages and questions of every version, each once. */
export async function shippedTexts(): Promise<readonly string[]> {
  const texts = new Set<string>();
  const inner = createHashedEmbedder();
  const room = await shipped({
    ...inner,
    embedTexts: (given) => {
      for (const text of given) texts.add(text);
      return inner.embedTexts(given);
    },
  });
  await room.close();
  return [...texts];
}

/** More than the room keeps for one passage go to a second one of the same answer. */
const QUESTIONS_AT_ONCE = 90;

/** A set whose answers are known by their questions alone: one passage an answer, which names it. */
export async function ofKnownQuestions(known: readonly Known[], embedder?: Embedder): Promise<EvaluatedRoom> {
  const room = await openRoom(embedder);
  const tenant = TENANTS[0]?.id as TenantId;
  for (const answer of new Set(known.map((each) => each.answer))) {
    const questions = known.filter((each) => each.answer === answer).map(({ query }) => plain(query));
    const parts: string[] = [];
    for (let at = 0; at < questions.length; at += QUESTIONS_AT_ONCE) {
      const own = questions.slice(at, at + QUESTIONS_AT_ONCE).filter((text) => text !== "");
      parts.push(`${answerText(answer)}\n\nAlso asked: ${own.join(" / ")}\n`);
    }
    await room.knowledge.add(
      tenantScope(tenant),
      {
        documentId: answer.toLowerCase().replace(/_/g, "-"),
        version: "1",
        kind: "faq",
        language: "en",
        audience: "customer",
        title: "Answers",
        effectiveFromMs: 0,
        effectiveUntilMs: null,
        format: "text",
        bytes: Buffer.from(parts.join("\n")),
      },
      "evaluation",
    );
  }
  await room.knowledge.index(tenant);
  return room;
}

/** Nothing that a question could be found by: the set has no answers' texts. */
const answerText = (answer: string): string => `${answer}.`;
export const answerOf = (passage: string): string => passage.split(".")[0] ?? "";
/**
 * For the verdict: what is asked for (a price, a weight, a time) is taken to stand in the answer that the set does not
 * have, so that its absence decides nothing.
 */
export const withAnswer = (ranked: readonly Ranked[]): readonly Ranked[] =>
  ranked.map((each) => ({ ...each, best: { ...each.best, text: `${each.best.text} $1, 1 kg, 1 day` } }));

const plain = (text: string): string => text.replace(/\s+/g, " ").replaceAll(" / ", " or ").trim();
export const NORTHWIND = TENANTS[0]?.id as TenantId;
