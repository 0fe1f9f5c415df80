import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tenantScope } from "../../src/kernel/scope.ts";
import type { Knowledge } from "../../src/knowledge/knowledge.ts";
import { loadKnowledgeFiles } from "../../src/knowledge/seeding.ts";
import { KESTREL, NORTHWIND, temporaryFolder } from "../kit/database.ts";
import { answersTo, tenantsOnly, testKnowledge } from "../kit/knowledge.ts";
import { createTestSystem } from "../kit/system.ts";

const scope = tenantScope(NORTHWIND);
let folder: ReturnType<typeof temporaryFolder>;
let knowledge: Knowledge;
let errors: { code?: string; message?: string }[];
beforeEach(async () => {
  folder = temporaryFolder();
  errors = [];
  knowledge = testKnowledge({
    store: await tenantsOnly(),
    onError: (error) => void errors.push(error as never),
  });
});
afterEach(async () => {
  folder.remove();
  await knowledge.stop();
});

const FILE = `---
id: shipping
tenant: northwind
kind: faq
language: en
version: "1"
title: Shipping
effective_from: 2026-01-01
---

## What does shipping cost?

Shipping costs $4.95.
`;
const ASKED = "What does shipping cost?";
const put = (text: string, name = "shipping.md") => writeFileSync(join(folder.path, name), text);
async function start() {
  const files = await loadKnowledgeFiles(folder.path);
  for (const tenant of [NORTHWIND, KESTREL]) await knowledge.seed(tenantScope(tenant), files);
}

test("a folder's documents are their tenant's, once, however often the server starts", async () => {
  put(FILE);
  await start();
  await start();
  expect(await answersTo(knowledge, ASKED)).toEqual(["Shipping costs $4.95."]);
  expect(await answersTo(knowledge, ASKED, tenantScope(KESTREL))).toEqual([]);
  expect(errors).toEqual([]);
});

test("what an operator removed does not come back with the next start", async () => {
  put(FILE);
  await start();
  await knowledge.remove(scope, { documentId: "shipping", version: null, language: null }, "operator");
  await start();
  expect(await answersTo(knowledge, ASKED)).toEqual([]);
});

test("another text under a version that was published is not used, and the log says so", async () => {
  put(FILE);
  await start();
  put(FILE.replace("4.95", "9.95"));
  await start();
  expect(await answersTo(knowledge, ASKED)).toEqual(["Shipping costs $4.95."]);
  expect(errors).toMatchObject([{ code: "document_version_conflict" }]);
  expect(errors[0]?.message).toContain("shipping.en@1");
});

test.each([
  ["no front matter", "## Hello\n", "shipping.md"],
  ["a field that there is not", FILE.replace("kind: faq", "kind: faq\nallow: everything"), "allow"],
  ["a kind that there is not", FILE.replace("kind: faq", "kind: law"), "kind"],
  ["a date that there is not", FILE.replace("2026-01-01", "2026-02-30"), "2026-02-30"],
])("a file with %s is named, with what is wrong", async (_, text, named) => {
  put(text);
  await expect(start()).rejects.toMatchObject({
    code: "document_invalid",
    message: expect.stringContaining(named),
  });
});

test("the documents of this repository are in order beside its policies: none is held, each question is answered by its own text", async () => {
  const world = await createTestSystem({
    knowledge: (parts) => {
      knowledge = testKnowledge(parts);
      return knowledge;
    },
  });
  const files = await loadKnowledgeFiles(new URL("../../knowledge/", import.meta.url).pathname);
  for (const tenant of [NORTHWIND, KESTREL]) {
    await knowledge.seed(tenantScope(tenant), files);
    const listed = await knowledge.list(tenantScope(tenant));
    expect(listed.filter(({ publishedBy }) => publishedBy === "files").length).toBeGreaterThan(1);
    expect(listed.filter(({ heldFor }) => heldFor.length > 0)).toEqual([]);
  }
  const asked = [
    ["How much does shipping cost?", "$6.95"],
    ["Do you ship to other countries?", "Canada and Mexico"],
    ["Can I pay in installments?", "4 installments"],
  ] as const;
  for (const [question, answer] of asked) expect((await answersTo(knowledge, question))[0]).toContain(answer);
  await world.close();
});
