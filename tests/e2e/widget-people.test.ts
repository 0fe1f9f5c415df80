/** The chat between people: two customers of one device, a screen reader, a phone's keyboard, a clock that is wrong. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Stage, say, setStage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterEach(() => stage?.leave());
afterAll(() => stage?.close());

const mine = (page: Page) => page.locator(".message.mine:not(.waiting) .bubble").allTextContents();
const answered = (page: Page) =>
  page
    .getByText(/30 days/)
    .first()
    .waitFor();

/** As a shop does when somebody else signs in on a page that stays. */
async function identify(page: Page, customer: string): Promise<void> {
  const answer = await fetch(`${stage.url}/demo/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ customer }),
  });
  const { token } = (await answer.json()) as { token: string };
  await page.evaluate((jwt) => {
    (window as unknown as { recourse: { identify(jwt: string): void } }).recourse.identify(jwt);
  }, token);
}

describe("two customers of one device", () => {
  test("[114] [134] the second sees nothing of the first, is answered at once, and the first's stream is closed", async () => {
    const page = await stage.shop("ada");
    await say(page, "What is your return policy?");
    await answered(page);
    const first = await page.evaluate(() => localStorage.getItem("recourse:northwind:ada:conversation"));
    const closed = page.waitForEvent("requestfailed", (request) => request.url().includes(`${first}/stream`));
    await identify(page, "ben");
    await closed;
    await expect.poll(() => mine(page)).toEqual([]);
    await say(page, "hello from Ben");
    await page.locator(".message.agent:not(.draft)").first().waitFor();
    expect(await mine(page)).toEqual(["hello from Ben"]);
    const second = await page.evaluate(() => localStorage.getItem("recourse:northwind:ben:conversation"));
    expect(second).not.toBe(first);
  });
});

describe("a screen reader", () => {
  test("[137] is told an operator's answer once, politely, while the customer goes on writing; all controls have names", async () => {
    const customer = await stage.shop("cleo");
    await say(customer, "I want to talk to a person");
    await customer.getByText("A person has this conversation now.").waitFor();
    const field = customer.getByRole("textbox", { name: "Write a message" });
    await field.focus();
    const log = customer.getByRole("log");
    expect(await log.getAttribute("aria-live")).toBe("polite");
    await log.evaluate((box) => {
      const added: string[] = [];
      Object.assign(window, { added });
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) added.push(node.textContent ?? "");
      }).observe(box, { childList: true, subtree: true });
    });
    const id = await customer.evaluate(() => localStorage.getItem("recourse:northwind:cleo:conversation"));
    const desk = await stage.console(/Olivia/);
    await desk.goto(`${stage.url}/console/conversations?conversation=${id}`);
    const take = desk.getByRole("button", { name: /^Take over/ });
    if ((await take.count()) > 0) await take.first().click();
    const answer = desk.getByRole("textbox", { name: "Reply to the customer" });
    await answer.fill("A new mug is on its way.");
    await answer.press("Control+Enter");
    await log.getByText("A new mug is on its way.").waitFor();
    const added = await customer.evaluate(() => (window as unknown as { added: string[] }).added);
    expect(added.filter((text) => text.includes("A new mug"))).toHaveLength(1);
    expect(await field.evaluate((box) => (box.getRootNode() as ShadowRoot).activeElement === box)).toBe(true);
    const names = await customer
      .locator(".panel button")
      .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label") ?? each.textContent ?? ""));
    expect(names.filter((name) => name.trim() === "")).toEqual([]);
  });
});

test("[62] a phone's keyboard takes half of the screen: field and last message stay in view, the shop does not scroll", async () => {
  const page = await stage.shop("dev", { viewport: { width: 390, height: 844 } });
  await say(page, "What is your return policy?");
  await answered(page);
  const before = await page.evaluate(() => scrollY);
  await page.setViewportSize({ width: 390, height: 430 });
  await say(page, "thank you");
  await page.locator(".message.mine:not(.waiting)").nth(1).waitFor();
  for (const seen of [
    page.getByRole("textbox", { name: "Write a message" }),
    page.locator(".message:not(.draft)").last(),
  ]) {
    await expect
      .poll(async () => {
        const box = await seen.boundingBox();
        return box !== null && box.y >= 0 && box.y + Math.min(box.height, 40) <= 430;
      })
      .toBe(true);
  }
  expect(await page.evaluate(() => scrollY)).toBe(before);
  await stage.picture(page, "widget-keyboard");
});

test.each([
  ["a day behind", -86_400_000],
  ["a day ahead", 86_400_000],
])("a device whose clock is %s chats as any other, as a visitor too", async (_how, skewMs) => {
  const page = await stage.page();
  await page.addInitScript(`
    const now = Date.now;
    Date.now = () => now() + ${skewMs};
  `);
  await page.goto(`${stage.url}/shop?as=fay`);
  await page.getByRole("button", { name: /chat with us/i }).click();
  await say(page, "What is your return policy?");
  await answered(page);
  await page.evaluate(() => {
    (window as unknown as { recourse: { signOut(): void } }).recourse.signOut();
  });
  await expect.poll(() => mine(page)).toEqual([]);
  await say(page, "What is your return policy?");
  await answered(page);
  expect(await mine(page)).toEqual(["What is your return policy?"]);
});

test("what comes while the chat is closed is counted on its button, and no more once it was opened", async () => {
  const page = await stage.shop("eve");
  await say(page, "I want to talk to a person");
  await page.getByText("A person has this conversation now.").waitFor();
  const id = await page.evaluate(() => localStorage.getItem("recourse:northwind:eve:conversation"));
  await page.keyboard.press("Escape");
  const desk = await stage.console(/Olivia/);
  await desk.goto(`${stage.url}/console/conversations?conversation=${id}`);
  const take = desk.getByRole("button", { name: /^Take over/ });
  const answer = desk.getByRole("textbox", { name: "Reply to the customer" });
  await answer.or(take.first()).first().waitFor();
  if ((await take.count()) > 0) await take.first().click();
  await answer.fill("Good morning.");
  await answer.press("Control+Enter");
  const badge = page.locator("#recourse-widget-northwind button.l b");
  await expect.poll(() => badge.textContent(), { timeout: 20_000 }).toBe("1");
  await page.locator("#recourse-widget-northwind button.l").click();
  await page.getByText("Good morning.").waitFor();
  expect(await badge.textContent()).toBe("");
});
