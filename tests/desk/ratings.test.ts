/** Ratings: once an ending, in the chat or by a signed link, and counted apart for agent and person. */
import { afterEach, describe, expect, test } from "vitest";
import { createRatingLinks } from "../../src/channels/http/rating-links.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { tokenFor } from "../http/fixture.ts";
import { type Office, openOffice } from "./office.ts";

let office: Office | undefined;
afterEach(async () => {
  expect(office?.w.errors ?? []).toEqual([]);
  await office?.close();
  office = undefined;
});

async function ended(...texts: readonly string[]) {
  const it = await openOffice();
  office = it;
  const scope = it.w.scope("ada");
  const conversation = await it.w.open(scope);
  for (const text of texts) await it.w.say(scope, conversation, text);
  const link = () => it.as("olivia", "POST", `/v1/operator/conversations/${conversation}/rating-link`, {});
  const end = () => it.w.system.conversations.end(scope, conversation);
  const page = async (url: string, form?: Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await fetch(url, {
      method: form === undefined ? "GET" : "POST",
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      headers: { "sec-fetch-site": "same-origin", ...headers },
    });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  const ratings = async () => (await it.as("olivia", "GET", "/v1/operator/ratings")).json;
  const inside = async () =>
    (await it.as("olivia", "GET", `/v1/operator/conversations/${conversation}`)).json.rating;
  return { ...it, scope, conversation, link, end, page, ratings, inside };
}

const NOBODY = { count: 0, scores: [0, 0, 0, 0, 0], average: null };

describe("a rating link", () => {
  test("rates once, however often its page is seen or sent, and says what was solved by whom", async () => {
    const { link, end, page, ratings, inside } = await ended("where is order 1042?");
    await end();
    const { status, json } = await link();
    expect(status).toBe(201);
    for (const _ of [1, 2, 3]) expect((await page(json.url)).text).toContain("How did we do?");
    const sent = await page(json.url, { score: "4", comment: "Quick <b>and</b> clear" });
    expect(sent).toMatchObject({ status: 200, text: expect.stringContaining("Thank you for your rating.") });
    for (const form of [undefined, { score: "1" }]) {
      expect((await page(json.url, form)).text).toContain("rated already");
    }
    expect(await inside()).toEqual({
      score: 4,
      comment: "Quick <b>and</b> clear",
      solved_by: "agent",
      is_latest: true,
    });
    expect(await ratings()).toEqual({
      agent: { count: 1, scores: [0, 0, 0, 1, 0], average: 4 },
      person: NOBODY,
    });
    expect((await link()).json.code).toBe("csat_already_given");
  });

  test("of twenty sendings at one moment takes one", async () => {
    const { link, end, page, ratings } = await ended("where is order 1042?");
    await end();
    const { json } = await link();
    await Promise.all(Array.from({ length: 20 }, (_, i) => page(json.url, { score: String((i % 5) + 1) })));
    expect((await ratings()).agent.count).toBe(1);
  });

  test("and the chat are one rating", async () => {
    const { asCustomer, conversation, link, end, page, inside } = await ended("where is order 1042?");
    await end();
    const { json } = await link();
    await asCustomer("ada", "POST", `/v1/conversations/${conversation}/csat`, { score: 5 });
    expect((await page(json.url, { score: "1" })).text).toContain("rated already");
    expect(await inside()).toMatchObject({ score: 5 });
  });

  test("is there only for a conversation that has ended, and for its own shop's people", async () => {
    const { as, conversation, link, end } = await ended("where is order 1042?");
    expect((await link()).json.code).toBe("conversation_not_ended");
    await end();
    const path = `/v1/operator/conversations/${conversation}/rating-link`;
    expect((await as("kim", "POST", path, {})).status).toBe(404);
  });

  test("[116] that is changed, of another shop or conversation, old or a customer's token opens nothing", async () => {
    const { conversation, link, end, page, running, ratings } = await ended("where is order 1042?");
    await end();
    const { json } = await link();
    const secret = "a secret of rating links that is long";
    const foreign = await createRatingLinks({ secret: `${secret}er`, clock: systemClock }).mint(
      "northwind" as TenantId,
      conversation,
      0,
    );
    const old = await createRatingLinks({
      secret,
      clock: { ...systemClock, now: () => systemClock.now() - LIMITS.ratingLinkMs - 60_000 },
    }).mint("northwind" as TenantId, conversation, 0);
    const other = await createRatingLinks({ secret, clock: systemClock }).mint(
      "kestrel" as TenantId,
      conversation,
      0,
    );
    const urls = [
      json.url.slice(0, -2),
      `${json.url.slice(0, -3)}AAA`,
      ...[foreign, old, other].map(({ token }) => `${running.url}/rate/${token}`),
      `${running.url}/rate/${await tokenFor({ sub: "ada" })}`,
      `${running.url}/rate/x`,
    ];
    for (const url of urls) {
      expect((await page(url)).status, url).toBe(404);
      expect((await page(url, { score: "5" })).status, url).toBe(404);
    }
    expect((await ratings()).agent.count).toBe(0);
    // And the link's token is no customer's.
    const token = json.url.split("/").at(-1);
    expect((await running.call("GET", `/v1/conversations/${conversation}`, { token })).status).toBe(401);
  });

  test("takes a form of its own page only, and only what the form has", async () => {
    const { link, end, page, ratings } = await ended("where is order 1042?");
    await end();
    const { json } = await link();
    expect((await page(json.url, { score: "5" }, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await page(json.url, { score: "6" })).status).toBe(400);
    expect((await page(json.url, { score: "5", extra: "1" })).status).toBe(400);
    expect((await page(json.url)).headers.get("content-security-policy")).toContain("default-src 'none'");
    expect((await page(json.url)).headers.get("referrer-policy")).toBe("no-referrer");
    expect((await ratings()).agent.count).toBe(0);
  });

  test("asks in the customer's language", async () => {
    const { link, end, page } = await ended("Wo ist meine Bestellung 1042?");
    await end();
    const { text } = await page((await link()).json.url);
    expect(text).toContain('lang="de"');
    expect(text).toContain("Wie waren wir?");
    expect(text).toContain("<strong>northwind</strong>");
  });
});

test("[150] a conversation that ends, is rated, goes on and ends again is rated again: each ending once", async () => {
  const { w, scope, conversation, end, link, page, ratings, inside } = await ended("where is order 1042?");
  const rate = (score: number) =>
    w.system.conversations.rate(scope, conversation, { score, comment: null, givenBy: "chat" });
  await end();
  const first = (await link()).json;
  const late = (await link()).json;
  await page(first.url, { score: "2" });
  expect((await link()).json.code).toBe("csat_already_given");
  await w.say(scope, conversation, "and order 1043?");
  await end();
  // A link is about the ending that it was made for.
  expect((await page(late.url, { score: "5" })).text).toContain("rated already");
  const again = await link();
  expect(again.status).toBe(201);
  const sent = await Promise.all([
    page(again.json.url, { score: "4" }),
    page(again.json.url, { score: "4" }),
  ]);
  expect(sent.map(({ status }) => status)).toEqual([200, 200]);
  await expect(rate(5)).rejects.toMatchObject({ code: "csat_already_given" });
  expect((await ratings()).agent).toEqual({ count: 2, scores: [0, 1, 0, 1, 0], average: 3 });
  expect(await inside()).toMatchObject({ score: 4 });
});

test("[150] an ending that was not rated can be by its link still, after the next one", async () => {
  const { w, scope, conversation, end, link, page, ratings } = await ended("where is order 1042?");
  await end();
  const { json } = await link();
  await w.say(scope, conversation, "and order 1043?");
  await end();
  await w.system.conversations.rate(scope, conversation, { score: 5, comment: null, givenBy: "chat" });
  expect((await page(json.url, { score: "1" })).text).toContain("Thank you for your rating.");
  expect((await page(json.url, { score: "3" })).text).toContain("rated already");
  expect((await ratings()).agent).toEqual({ count: 2, scores: [1, 0, 0, 0, 1], average: 3 });
});

test("what a person wrote in is rated as a person's", async () => {
  const { w, scope, conversation, as, ratings } = await ended("I want to talk to a person");
  await as("olivia", "POST", `/v1/operator/conversations/${conversation}/take-over`, {});
  const [review] = await w.reviews();
  const decided = await as("olivia", "POST", `/v1/operator/reviews/${review?.review_id}/decision`, {
    decision_id: "d-1",
    decision: "resolve",
    version: review?.version,
    note: "All is well, the parcel arrives tomorrow.",
  });
  expect(decided.status).toBeLessThan(300);
  expect((await w.system.conversations.view(scope, conversation)).status).toBe("resolved");
  await w.system.conversations.rate(scope, conversation, { score: 5, comment: null, givenBy: "chat" });
  expect(await ratings()).toEqual({
    agent: NOBODY,
    person: { count: 1, scores: [0, 0, 0, 0, 1], average: 5 },
  });
  // It goes on with the agent alone: the next ending is the agent's, the one before stays the person's.
  await w.say(scope, conversation, "where is order 1042?");
  await w.system.conversations.end(scope, conversation);
  await w.system.conversations.rate(scope, conversation, { score: 3, comment: null, givenBy: "chat" });
  expect(await ratings()).toEqual({
    agent: { count: 1, scores: [0, 0, 1, 0, 0], average: 3 },
    person: { count: 1, scores: [0, 0, 0, 0, 1], average: 5 },
  });
});
