/** Who a decision is recorded for: a person however they come, and a key that is nobody. */
import { expect, test } from "vitest";
import type { ReviewView } from "../../src/actions/reviews/reviews.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import type { Permission } from "../../src/operators/permissions.ts";
import { fakeReviews, startServer } from "../http/fixture.ts";
import { NORTHWIND, testTeam } from "./fixture.ts";
import { browser } from "./http.ts";

const REVIEW = "rev_019a5f0e-1111-7b6c-8e59-5a6b7c8d9e01";
const decision = { decision: "approve", version: 1, args_hash: "x" };

test("two sessions of one person decide as one person; a key of theirs decides as no person", async () => {
  const team = await testTeam();
  const reviews = fakeReviews([{ review_id: REVIEW } as ReviewView]);
  const running = await startServer({ operators: team.operators, reviews });
  await team.person("olivia@northwind.example", { [NORTHWIND]: "admin" });
  for (const cookie of [
    await team.signedIn("olivia@northwind.example"),
    await team.signedIn("olivia@northwind.example"),
  ]) {
    const page = browser(running, cookie);
    await page.call("POST", `/v1/operator/reviews/${REVIEW}/decision`, { body: decision });
  }
  const scopes: Permission[] = ["reviews.decide", "reviews.decide_large"];
  const { key } = await team.operators.keys.create(tenantScope(NORTHWIND), {
    name: "olivia@northwind.example",
    scopes,
    expiresInMs: null,
    by: "olivia@northwind.example",
    having: new Set(scopes),
  });
  await running.call("POST", `/v1/operator/reviews/${REVIEW}/decision`, { token: key, body: decision });
  expect(reviews.decisions).toMatchObject([
    { operator: "olivia@northwind.example", isPerson: true },
    { operator: "olivia@northwind.example", isPerson: true },
    { operator: "key:olivia@northwind.example", isPerson: false },
  ]);
});
