/** What can be done with a whole conversation: end it, rate it, keep it; and what a customer who is too fast is told. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { Customer } from "../../bench/processes.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { type Stage, say, setStage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterEach(() => stage?.leave());
afterAll(() => stage?.close());

/** What the open chat shows of its customer's messages. */
const mine = (page: Page) => page.locator(".message.mine:not(.waiting) .bubble").allTextContents();
const launcher = (page: Page, tenant: string) => page.locator(`#recourse-widget-${tenant} button.l`);

describe("the menu", () => {
  test("is closed by Escape before the chat is, and gives the focus back", async () => {
    const page = await stage.shop("ada");
    await say(page, "What is your return policy?");
    await page
      .getByText(/30 days/)
      .first()
      .waitFor();
    const options = page.getByRole("button", { name: "Options" });
    await options.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Talk to a person" }).waitFor();
    await page.keyboard.press("Escape");
    expect(await options.getAttribute("aria-expanded")).toBe("false");
    expect(await page.getByRole("log").isVisible()).toBe(true);
  });

  test("ends a conversation, asks once what it was like, and goes on where the customer wants", async () => {
    const page = await stage.shop("lena");
    const say_ = async (text: string) => {
      const field = page.getByRole("textbox").first();
      await field.fill(text);
      await field.press("Enter");
    };
    await page.getByRole("textbox").first().waitFor();
    await say_("What is your return policy?");
    await page.locator(".message.agent:not(.draft)").first().waitFor();
    await page.getByRole("button", { name: "Options" }).click();
    await page.getByRole("button", { name: "End the conversation" }).click();
    await page.getByText("How did we do?").waitFor();
    await stage.picture(page, "widget-rating");
    await page.getByRole("radio", { name: "4 of 5" }).check();
    await page.getByRole("button", { name: "Send rating" }).click();
    await page.getByText("Thank you for your rating.").waitFor();
    await page.reload();
    await launcher(page, "kestrel").click();
    await page.getByText("Thank you for your rating.").waitFor();
    await page.getByRole("button", { name: "Write again here" }).click();
    await say_("One more thing");
    await expect.poll(() => mine(page)).toEqual(["What is your return policy?", "One more thing"]);
    // It ends again: that is another ending, and is asked about once more.
    await page.locator(".message.agent:not(.draft)").nth(1).waitFor();
    await page.getByRole("button", { name: "Options" }).click();
    await page.getByRole("button", { name: "End the conversation" }).click();
    await page.getByRole("radio", { name: "2 of 5" }).check();
    await page.getByRole("button", { name: "Send rating" }).click();
    await page.getByText("Thank you for your rating.").waitFor();
    const headers = { authorization: "Bearer demo-operator-kestrel" };
    const ratings = await (await fetch(`${stage.url}/v1/operator/ratings`, { headers })).json();
    expect((ratings as { agent: unknown }).agent).toEqual({ count: 2, scores: [0, 1, 0, 1, 0], average: 3 });
  });

  test("hands the conversation out as text", async () => {
    const page = await stage.shop("cleo");
    await say(page, "What is your return policy? <b>bold</b>");
    await page
      .getByText(/30 days/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Options" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the conversation" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^conversation-\d{4}-\d\d-\d\d\.txt$/);
    const { readFileSync } = await import("node:fs");
    const text = readFileSync((await download.path()) as string, "utf8");
    expect(text).toContain("What is your return policy? <b>bold</b>");
    expect(text).toContain("AI assistant");
  });

  test("has a visitor's conversation sent to an address that they name, after its mailbox has agreed", async () => {
    const page = await stage.shop("ada");
    await page.evaluate(() => {
      (window as unknown as { recourse: { signOut(): void } }).recourse.signOut();
    });
    await expect.poll(() => mine(page)).toEqual([]);
    await say(page, "What is your return policy?");
    await page
      .getByText(/30 days/)
      .first()
      .waitFor();
    const options = page.getByRole("button", { name: "Options" });
    await options.click();
    await page.getByRole("button", { name: "End it and send me a copy by email" }).click();
    const field = page.getByRole("textbox", { name: "Your email address" });
    await field.waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "hidden" });
    expect(await page.getByRole("log").isVisible()).toBe(true);
    await options.click();
    await page.getByRole("button", { name: "End it and send me a copy by email" }).click();
    await expect.poll(() => field.evaluate((input) => input.matches(":focus"))).toBe(true);
    await page.keyboard.type("ivy@example.com");
    await stage.picture(page, "widget-address");
    await page.keyboard.press("Enter");
    await page.getByText("We have written to i…@example.com.").waitFor();
    const link = async (): Promise<string | undefined> =>
      (await stage.mails("ivy@example.com")).map(({ text }) => /http\S+\/transcript\/\S+/.exec(text)?.[0])[0];
    await expect.poll(link, { timeout: 20_000 }).toBeDefined();
    const mailbox = await stage.page();
    await mailbox.goto((await link()) ?? "");
    await stage.picture(mailbox, "transcript-page");
    expect(await stage.mails("ivy@example.com")).toHaveLength(1);
    await mailbox.getByRole("button", { name: "Send me the copy" }).click();
    await mailbox.getByText("The copy is on its way.").waitFor();
    await expect.poll(async () => (await stage.mails("ivy@example.com")).length, { timeout: 20_000 }).toBe(2);
    const [first, copy] = await stage.mails("ivy@example.com");
    expect(first?.text).not.toContain("return policy");
    expect(copy?.text).toContain("What is your return policy?");
  });
});

test("who writes faster than the server takes it is told how long to wait, and what they wrote goes out once", async () => {
  const page = await stage.shop("cleo");
  await say(page, "hello");
  await page.locator(".message.agent:not(.draft)").first().waitFor();
  const customer = await Customer.enter(stage.url, "cleo");
  // A program under the same name uses up what the customer may ask for.
  const answers = await Promise.all(
    Array.from({ length: LIMITS.requestsPerCustomerBurst + 200 }, () =>
      customer.request("/v1/conversations/none").then(
        () => "",
        (error: Error) => error.message,
      ),
    ),
  );
  expect(answers.some((each) => each.includes("answered 429"))).toBe(true);
  // The next one is refused for as long as that goes on.
  let isFlooding = true;
  const flood = (async () => {
    while (isFlooding) await customer.request("/v1/conversations/none").catch(() => {});
  })();
  await page.route("**/messages", async (route) => {
    // Sent until the server has refused it once: how much a second brings back depends on the machine.
    const response = await route.fetch();
    if (response.status() === 429) isFlooding = false;
    await route.fulfill({ response });
  });
  const texts = ["one", "two", "three"];
  for (const text of texts) await say(page, text);
  await page.getByText(/That was fast\. The next message goes out in \d+ s\./).waitFor({ timeout: 30_000 });
  await stage.picture(page, "widget-rate-limit");
  isFlooding = false;
  await flood;
  await expect.poll(() => mine(page), { timeout: 40_000 }).toEqual(["hello", ...texts]);
  await page.getByText(/That was fast/).waitFor({ state: "hidden" });
  expect(await page.locator(".message.waiting").count()).toBe(0);
});

test("an operator makes a link for a conversation that has ended; what the customer gives shows beside it", async () => {
  const shop = await stage.shop("cleo");
  await say(shop, "What is your delivery time?");
  await shop.locator(".message.agent:not(.draft)").first().waitFor();
  await shop.getByRole("button", { name: "Options" }).click();
  await shop.getByRole("button", { name: "End the conversation" }).click();
  await shop.getByText("How did we do?").waitFor();
  const id = await shop.evaluate(() => localStorage.getItem("recourse:northwind:cleo:conversation"));
  const desk = await stage.console(/Olivia/);
  await desk.goto(`${stage.url}/console/conversations?conversation=${id}`);
  await desk.getByRole("button", { name: "Rating link" }).click();
  const dialog = desk.getByRole("dialog");
  const url = await dialog.evaluate((box) =>
    [box.textContent ?? "", ...[...box.querySelectorAll("input")].map(({ value }) => value)]
      .map((text) => /http\S*\/rate\/[\w.-]+/.exec(text)?.[0])
      .find((found) => found !== undefined),
  );
  const page = await stage.page();
  await page.goto(url ?? "");
  await page.getByRole("radio", { name: "2" }).check();
  await page.getByRole("textbox").fill("Too <b>slow</b>");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Thank you for your rating.").waitFor();
  await desk.reload();
  await desk.getByText("Rated 2 of 5").waitFor();
  await desk.getByText("Too <b>slow</b>").waitFor();
  await stage.picture(desk, "operator-rating");
  // The chat does not count it twice either.
  await shop.getByRole("radio", { name: "5 of 5" }).check();
  await shop.getByRole("button", { name: "Send rating" }).click();
  await shop.getByText("Thank you for your rating.").waitFor();
  await desk.reload();
  await desk.getByText("Rated 2 of 5").waitFor();
});
