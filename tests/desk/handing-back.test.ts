/** A handoff at the API: silence until a person gives the conversation back, and then an answer to what had none. */
import { afterEach, expect, test } from "vitest";
import { type Office, openOffice } from "./office.ts";

let office: Office | undefined;
afterEach(async () => {
  expect(office?.w.errors).toEqual([]);
  await office?.close();
  office = undefined;
});

test.each(["give-back", "decision", "resolve"] as const)(
  "after a handoff the agent is silent until a person returns the conversation (%s); then it answers what nobody has, once",
  async (how) => {
    office = await openOffice();
    const o = office;
    const { conversation_id: id } = (await o.asCustomer("ada", "POST", "/v1/conversations")).json;
    let n = 0;
    const say = async (text: string) => {
      n += 1;
      const body = { client_message_id: `m-${n}`, text };
      const sent = await o.asCustomer("ada", "POST", `/v1/conversations/${id}/messages`, body);
      expect(sent.status).toBe(202);
      await o.w.drain();
      return sent.json;
    };
    const said = async () => {
      const { json } = await o.asCustomer("ada", "GET", `/v1/conversations/${id}/events?after_seq=0`);
      return (json.events as { type: string; author?: string; text?: string; seq: number }[]).filter(
        ({ type, author }) => type === "message" && author !== "customer",
      );
    };
    const runs = async () =>
      (await o.as("olivia", "GET", `/v1/operator/conversations/${id}/runs`)).json.runs.length;

    await say("I want to talk to a person");
    const { json: queue } = await o.as("olivia", "GET", "/v1/operator/reviews?kind=handoff");
    expect(queue.reviews).toMatchObject([{ conversation_id: id, state: "open" }]);
    const before = [await said(), await runs()] as const;

    expect(await say("where is order 1042?")).toMatchObject({ run_id: null });
    await say("refund the socks from order 1042");
    await say("where is order 1042?");
    expect([await said(), await runs()]).toEqual(before);
    // Nothing was proposed behind the person's back either.
    expect(await o.w.actions()).toEqual([]);
    expect(await o.w.refunds("1042")).toEqual([]);

    const review = queue.reviews[0];
    if (how === "give-back") {
      expect((await o.as("olivia", "POST", `/v1/operator/conversations/${id}/give-back`)).status).toBe(200);
    } else {
      const body = {
        decision: how === "decision" ? "hand_back" : "resolve",
        version: review.version,
        ...(how === "resolve" ? { note: "Everything is answered now." } : {}),
      };
      const path = `/v1/operator/reviews/${review.review_id}/decision`;
      expect((await o.as("olivia", "POST", path, body)).status).toBe(200);
      // The button pressed twice.
      expect((await o.as("olivia", "POST", path, body)).json.code).toBe("already_decided");
    }
    await o.w.drain();
    const after = (await said()).slice(before[0].length);
    if (how === "resolve") {
      // The person's own last word was the answer.
      expect(after).toMatchObject([{ author: "operator", text: "Everything is answered now." }]);
      expect(await runs()).toBe(before[1]);
    } else {
      // Each of the three has its answer, in order.
      expect(after.map(({ author }) => author)).toEqual(["agent", "agent", "agent"]);
      expect(after[0]?.text).toContain("#1042 was delivered");
      expect(after[1]?.text).toContain("Shall I go ahead?");
      expect(after[2]?.text).toContain("#1042 was delivered");
      expect(await o.w.refunds("1042")).toEqual([]);
    }
    const count = (await said()).length;
    await o.w.pass(60_000);
    expect(await said()).toHaveLength(count);
    // And it goes on as before.
    await say("where is order 1042?");
    expect((await said()).at(-1)?.text).toContain("#1042");
  },
);
