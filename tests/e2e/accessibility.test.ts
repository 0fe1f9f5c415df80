import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { SAMPLES } from "../attachments/samples.ts";
import { LOOKS, violations } from "./axe.ts";
import { type Stage, say, setStage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  await stage.talk("dev", "I want a refund for order 1055", "yes");
  await stage.talk("ben", "I want to talk to a person");
});
afterEach(() => stage?.leave());
afterAll(() => stage?.close());

describe.each(LOOKS)("axe finds nothing, %s", (name, options) => {
  test("in the shop with the open chat, an offer and a refund", async () => {
    const shop = await stage.shop("ada", options);
    await say(shop, "where is my order?");
    await shop.getByRole("region", { name: "Order #1042" }).last().waitFor();
    await stage.picture(shop, `axe-shop-${name}`);
    expect(await violations(shop)).toEqual([]);
  });

  test("in the chat with a picture, its menu, and the rating in it and by a link", async () => {
    const shop = await stage.shop("eve", options);
    const chooser = shop.waitForEvent("filechooser");
    await shop.getByRole("button", { name: "Attach a picture" }).click();
    await (await chooser).setFiles({ name: "a.png", mimeType: "image/png", buffer: SAMPLES.png });
    await shop.locator(".chosen canvas").waitFor();
    await say(shop, "What is your return policy?");
    await shop
      .getByText(/30 days/)
      .first()
      .waitFor();
    await shop.getByRole("button", { name: "Options" }).click();
    await stage.picture(shop, `axe-chat-menu-${name}`);
    expect(await violations(shop)).toEqual([]);
    await shop.getByRole("button", { name: "End the conversation" }).click();
    await shop.getByRole("radio", { name: "5 of 5" }).check();
    await stage.picture(shop, `axe-chat-rating-${name}`);
    expect(await violations(shop)).toEqual([]);
    const desk = await stage.console(/Olivia/, options);
    const url = await desk.evaluate(async () => {
      const list = await (await fetch("/v1/operator/conversations?customer_id=eve&status=resolved")).json();
      const path = `/v1/operator/conversations/${list.conversations[0].conversation_id}/rating-link`;
      const answer = await fetch(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
      });
      return (await answer.json()).url as string;
    });
    const page = await stage.page(options);
    await page.goto(url);
    await stage.picture(page, `axe-rating-link-${name}`);
    expect(await violations(page)).toEqual([]);
    await page.getByRole("radio", { name: "5" }).check();
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Thank you for your rating.").waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test("at the door", async () => {
    const page = await stage.page(options);
    await page.goto(`${stage.url}/sign-in`);
    await stage.picture(page, `axe-sign-in-${name}`);
    expect(await violations(page)).toEqual([]);
  });

  test("in the queue with a review in hand, its keys and its palette", async () => {
    const desk = await stage.console(/Olivia/, options);
    await desk.getByRole("option", { name: /#1055/ }).click();
    await desk.getByRole("button", { name: /^Approve/ }).waitFor();
    await stage.picture(desk, `axe-queue-${name}`);
    expect(await violations(desk)).toEqual([]);
    await desk.keyboard.press("?");
    await desk.getByRole("dialog").waitFor();
    expect(await violations(desk)).toEqual([]);
  });

  test.each([
    ["conversations", "Search"],
    ["actions", "Search"],
    ["policies", "Copy the text"],
    ["policies?view=difference", "Difference"],
    ["policies?view=try", "Check"],
    ["knowledge", "Documents"],
    ["knowledge?view=search&q=How+much+is+shipping%3F", "Ask"],
    ["knowledge?view=add", "Add"],
    ["mails", "Mail that got no answer"],
    ["insights", "Resolved without a person"],
    ["audit", "Export all"],
    ["audit?entry=1", "Export all"],
    ["settings", "Tenant"],
    ["settings?view=team", "Invite"],
    ["settings?view=replies", "Add"],
    ["settings?view=keys", "Make the key"],
    ["settings?view=mine", "Mine"],
  ])("on the page %s", async (address, landmark) => {
    const desk = await stage.console(/Ada Min/, options);
    await desk.goto(`${stage.url}/console/${address}`);
    const name = new RegExp(`^${landmark}`);
    await desk.getByRole("button", { name }).or(desk.getByRole("heading", { name })).first().waitFor();
    await desk.getByRole("status", { name: "Loading" }).first().waitFor({ state: "hidden" });
    if (address === "conversations") {
      await desk.getByRole("button", { name: /^ben/ }).click();
      await desk.getByRole("textbox", { name: "Reply to the customer" }).waitFor();
      await desk.getByRole("log", { name: "Messages" }).waitFor();
    }
    if (address === "actions") {
      await desk.getByRole("button", { name: /#1055/ }).click();
      await desk.getByRole("heading", { name: "Provider's evidence" }).waitFor();
    }
    await stage.picture(desk, `axe-${address.replaceAll(/[^a-z]+/g, "-")}-${name}`);
    expect(await violations(desk)).toEqual([]);
    const [wide, room] = await desk.evaluate(
      () => [document.documentElement.scrollWidth, innerWidth] as const,
    );
    expect(wide).toBeLessThanOrEqual(room);
  });
});
