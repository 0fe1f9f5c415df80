/** Pages for settings, policies, documents and the team hear of every change, whoever made it, in their tenant only. */
import { afterEach, expect, test } from "vitest";
import { createHub, type Hub } from "../../src/conversations/hub.ts";
import { publishPolicies } from "../../src/gateway/policy/book.ts";
import { loadPolicyFiles } from "../../src/gateway/policy/versions.ts";
import { systemRandom } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { publishDocument, removeDocument } from "../../src/knowledge/documents.ts";
import { type Change, createFeed, type Feed } from "../../src/operators/feed.ts";
import { until } from "../http/fixture.ts";
import { KESTREL, NORTHWIND, testTeam } from "./fixture.ts";

const POLICIES = new URL("../../policies/", import.meta.url).pathname;
const northwind = tenantScope(NORTHWIND);
const ADMIN = "oscar@northwind.example";
let parts: { hub: Hub; feed: Feed } | undefined;
afterEach(async () => {
  await parts?.feed.stop();
  await parts?.hub.stop();
  parts = undefined;
});

test("a change of settings, policy, documents, roles, invitations or keys is told, without what is in it", async () => {
  const team = await testTeam();
  const hub = await createHub(team.store);
  const feed = await createFeed({ store: team.store, hub, random: systemRandom });
  parts = { hub, feed };
  const told: Change[] = [];
  const elsewhere: Change[] = [];
  feed.follow(NORTHWIND, null, ({ change }) => void (change !== null && told.push(change)));
  feed.follow(KESTREL, null, ({ change }) => void (change !== null && elsewhere.push(change)));
  /** What is told of one thing that is done. */
  const toldOf = async (done: () => Promise<unknown>): Promise<string[]> => {
    told.length = 0;
    await done();
    await until(() => told.length > 0);
    return [...new Set(told.map(({ kind, id }) => `${kind} ${id}`))];
  };

  const olivia = await team.person("olivia@northwind.example", { [NORTHWIND]: "agent" });
  await team.person(ADMIN, { [NORTHWIND]: "admin" });
  await until(() => told.length >= 2);
  const { operators, store, clock } = team;
  expect(
    await toldOf(() =>
      operators.settings.change(northwind, {
        area: "conversations",
        value: { end_after_hours: null },
        version: 0,
        by: ADMIN,
      }),
    ),
  ).toEqual(["settings conversations"]);
  const policy = (await loadPolicyFiles(POLICIES)).find(({ tenant }) => tenant === NORTHWIND);
  if (policy === undefined) throw new Error("there is no policy of northwind");
  expect(
    await toldOf(() => store.transact(northwind, (tx) => publishPolicies(tx, [policy], clock.now(), ADMIN))),
  ).toEqual([`policies ${policy.version}`]);
  const document = {
    documentId: "shipping",
    version: "1",
    kind: "faq",
    language: "en",
    audience: "customer",
    title: "Shipping",
    effectiveFromMs: clock.now(),
    effectiveUntilMs: null,
    format: "markdown",
    hash: "h",
    heldFor: [],
    chunks: [],
  } as const;
  expect(
    await toldOf(() => store.transact(northwind, (tx) => publishDocument(tx, document, clock.now(), ADMIN))),
  ).toEqual(["knowledge shipping"]);
  const which = { documentId: "shipping", version: null, language: null };
  expect(
    await toldOf(() => store.transact(northwind, (tx) => removeDocument(tx, which, clock.now(), ADMIN))),
  ).toEqual(["knowledge shipping"]);
  expect(await toldOf(() => operators.team.setRole(northwind, olivia, "lead", ADMIN))).toEqual(["team team"]);
  expect(
    await toldOf(() =>
      operators.keys.create(northwind, {
        name: "wallboard",
        scopes: ["reviews.read"],
        expiresInMs: null,
        by: ADMIN,
        having: new Set(["reviews.read"]),
      }),
    ),
  ).toEqual(["team team"]);
  expect(elsewhere).toEqual([]);
});
