/** What operators do beside deciding: two windows, notes, tags, canned replies, and a phone on the way. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Stage, setStage } from "./stage.ts";

let stage: Stage;
let conversation: string;
beforeAll(async () => {
  stage = await setStage();
  conversation = await stage.talk("ben", "I want to talk to a person");
  await stage.talk("dev", "I want a refund for order 1055", "yes");
});
afterEach(() => stage?.leave());
afterAll(() => stage?.close());

const reply = (desk: Page) => desk.getByRole("textbox", { name: "Reply to the customer" });
async function openThread(desk: Page): Promise<void> {
  await desk.goto(`${stage.url}/console/conversations?conversation=${conversation}`);
  await reply(desk).waitFor();
}

describe("an operator at a conversation", () => {
  test("with two windows sees both texts, and the next key overwrites neither", async () => {
    const first = await stage.console(/Otto/);
    const second = await first.context().newPage();
    await openThread(first);
    await openThread(second);
    await reply(first).fill("From the first window");
    await reply(second).fill("From the second window");
    const torn = (desk: Page) => desk.getByRole("button", { name: "Keep what is written below" });
    // Whoever was later is told.
    const [later, other] = await Promise.race([
      torn(first)
        .waitFor()
        .then(() => [first, "From the second window"] as const),
      torn(second)
        .waitFor()
        .then(() => [second, "From the first window"] as const),
    ]);
    await reply(later).press("End");
    await reply(later).pressSequentially(", and on");
    await later.getByText(other, { exact: true }).waitFor();
    await stage.picture(later, "draft-two-windows");
    await later.getByRole("button", { name: "Take this one" }).click();
    await expect.poll(() => reply(later).inputValue()).toBe(other);
  });

  test("sends a note again whose answer got lost, and it stands there once", async () => {
    const desk = await stage.console(/Otto/);
    await openThread(desk);
    await desk.keyboard.press("n");
    await desk.getByRole("textbox", { name: "Internal note" }).fill("Called twice already");
    let isFirst = true;
    await desk.route("**/notes", async (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      await route.fetch();
      await route.abort();
    });
    await desk.getByRole("button", { name: "Keep note" }).click();
    await desk.getByText("The server does not answer.").first().waitFor();
    await desk.getByRole("button", { name: "Keep note" }).click();
    await expect.poll(() => desk.getByRole("textbox", { name: "Internal note" }).inputValue()).toBe("");
    await desk.getByText("Called twice already").first().waitFor();
    expect(await desk.getByText("Called twice already").count()).toBe(1);
  });

  test("takes it, tags it, and answers with a canned reply under its variables", async () => {
    const lead = await stage.console(/Olivia/);
    await lead.goto(`${stage.url}/console/settings?view=replies`);
    await lead.getByLabel("Shortcut").fill("hello");
    await lead.getByLabel("Title").fill("Greeting");
    await lead.getByLabel("Text").fill("Hello, this is {{operator.name}}.");
    await lead.getByRole("button", { name: "Add", exact: true }).click();
    await lead.getByText(";hello").waitFor();
    await stage.picture(lead, "canned-replies");
    const desk = await stage.console(/Otto/);
    await openThread(desk);
    await desk.keyboard.press("i");
    await desk.getByText("Yours", { exact: true }).waitFor();
    await desk.getByRole("textbox", { name: "Add a tag" }).fill("vip");
    await desk.keyboard.press("Enter");
    await desk.getByRole("button", { name: "Remove the tag vip" }).waitFor();
    await desk.getByRole("button", { name: /^Give back/ }).waitFor();
    await reply(desk).fill(";hel");
    await desk.getByRole("option", { name: /Greeting/ }).waitFor();
    await reply(desk).press("Enter");
    await expect.poll(() => reply(desk).inputValue()).toMatch(/^Hello, this is Otto/);
    await reply(desk).press("Control+Enter");
    await expect.poll(() => reply(desk).inputValue()).toBe("");
    await desk
      .getByText(/^Hello, this is Otto/)
      .first()
      .waitFor();
    await stage.picture(desk, "desk-canned");
  });

  test("approves on a phone: what is decided has the whole screen, the conversation is one tap away", async () => {
    const phone = await stage.console(/Olivia/, { viewport: { width: 360, height: 740 }, hasTouch: true });
    await phone.getByRole("option", { name: /#1055/ }).click();
    await phone.getByRole("button", { name: "Conversation", exact: true }).click();
    await phone.getByText("I want a refund for order 1055").first().waitFor();
    await stage.picture(phone, "phone-conversation");
    await phone.getByRole("button", { name: "Decision", exact: true }).click();
    await stage.picture(phone, "phone-decision");
    await phone.getByRole("button", { name: /^Approve/ }).click();
    await phone.getByRole("button", { name: /Undo/ }).waitFor();
  });
});
