import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Stage, say, setStage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterEach(() => stage?.leave());
afterAll(() => stage?.close());

/** Waits until the provider holds this many refunds of the order. */
async function refundsReach(order: string, count: number): Promise<readonly number[]> {
  await expect.poll(async () => (await stage.refunds(order)).length, { timeout: 30_000 }).toBe(count);
  return (await stage.refunds(order)).map(({ amount }) => amount);
}

describe("a customer", () => {
  test("gets a refund under the limit, and sees it asked, sent and confirmed", async () => {
    const shop = await stage.shop("ada");
    await say(shop, "I want a refund for the socks");
    await shop.getByRole("button", { name: "Yes", exact: true }).click();
    await shop.getByRole("region", { name: /Refund · Order #1042/ }).waitFor();
    await shop.getByText("The payment provider has confirmed your refund").waitFor();
    expect(await refundsReach("1042", 1)).toEqual([2_400]);
    await stage.picture(shop, "customer-refund");
  });

  test("asks for the same again in another tab, and it is not paid twice", async () => {
    const other = await stage.shop("ada");
    await say(other, "refund the socks from order 1042");
    await other.getByText(/nothing left to refund/).waitFor();
    expect(await stage.refunds("1042")).toHaveLength(1);
  });

  test("is told the truth when the provider takes the refund and never answers", async () => {
    const shop = await stage.shop("ben");
    await shop.getByRole("button", { name: "Takes the refund, never answers" }).click();
    await say(shop, "I want a refund for order 1044");
    await shop.getByRole("button", { name: "Yes", exact: true }).click();
    await shop.getByText("The payment provider has confirmed your refund").waitFor({ timeout: 45_000 });
    expect(await refundsReach("1044", 1)).toEqual([6_400]);
  });

  test("finds the conversation and one refund after the server was killed in the middle of it", async () => {
    const shop = await stage.shop("lena");
    await say(shop, "Ich möchte eine Erstattung für das Kabel aus Bestellung 2042");
    await shop.getByRole("button", { name: "Ja", exact: true }).click();
    await stage.kill();
    await shop
      .getByText(/offline/i)
      .first()
      .waitFor({ timeout: 30_000 })
      .catch(() => {});
    await stage.restart();
    expect(await refundsReach("2042", 1)).toEqual([1_900]);
    await shop.getByRole("region", { name: /2042/ }).last().waitFor({ timeout: 45_000 });
    await stage.picture(shop, "customer-resumed");
  });

  test("can do all of it on a phone, in the dark, by keyboard alone", async () => {
    const phone = await stage.page({ viewport: { width: 320, height: 640 }, colorScheme: "dark" });
    await phone.goto(`${stage.url}/shop?as=eve`);
    const launcher = phone.getByRole("button", { name: /chat with us/i });
    await launcher.waitFor();
    await launcher.focus();
    await phone.keyboard.press("Enter");
    await phone.getByRole("textbox", { name: "Write a message" }).waitFor();
    await phone.keyboard.type("What is your return policy?");
    await phone.keyboard.press("Enter");
    await phone
      .getByText(/30 days/)
      .first()
      .waitFor();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
    await stage.picture(phone, "customer-phone-dark");
    await phone.keyboard.press("Escape");
    await phone.getByRole("log").waitFor({ state: "hidden" });
  });
});

describe("an operator", () => {
  test("approves by one key, takes it back, approves again: one refund, after the time to undo", async () => {
    const customer = await stage.shop("dev");
    await say(customer, "I want a refund for order 1055");
    await customer.getByRole("button", { name: "Yes", exact: true }).click();
    const desk = await stage.console(/Olivia/);
    await desk.getByRole("option", { name: /#1055/ }).click();
    await desk.getByRole("button", { name: /^Approve/ }).waitFor();
    await desk.keyboard.press("a");
    await desk.getByRole("button", { name: /Undo/ }).click();
    await desk.getByText("Taken back", { exact: true }).waitFor();
    expect(await stage.refunds("1055")).toHaveLength(0);
    await desk.getByRole("option", { name: /#1055/ }).click();
    await desk.getByRole("button", { name: /^Approve/ }).waitFor();
    await desk.keyboard.press("a");
    expect(await refundsReach("1055", 1)).toEqual([4_000]);
    await customer.getByText("The payment provider has confirmed your refund").waitFor();
    await stage.picture(desk, "operator-approved");
  });

  test("with a stale tab gets a conflict that says what changed, and nothing happens twice", async () => {
    await stage.talk("ben", "I want to talk to a person");
    const [first, second] = [await stage.console(/Olivia/), await stage.console(/Otto/)];
    for (const desk of [first, second]) {
      await desk
        .getByRole("option", { name: /Asks for a person/ })
        .first()
        .click();
      await desk.getByRole("button", { name: /^Resolved/ }).waitFor();
    }
    // The second page hears nothing of the first one's decision.
    await second.context().setOffline(true);
    await first.keyboard.press("a");
    await first.getByText("Resolved", { exact: true }).first().waitFor();
    await second.context().setOffline(false);
    await second.route("**/v1/operator/reviews/*", (route) =>
      route.request().method() === "GET" ? route.abort() : route.continue(),
    );
    await second.keyboard.press("a");
    await second.getByRole("alert").first().waitFor();
    await stage.picture(second, "operator-conflict");
  });

  test("finds every key under ? and every command in the palette", async () => {
    const desk = await stage.console(/Olivia/);
    await desk.keyboard.press("?");
    await desk.getByRole("dialog", { name: "Keys" }).getByText("Find a command").waitFor();
    await desk.keyboard.press("Escape");
    await desk.keyboard.press("Control+k");
    await desk.keyboard.type("decided");
    await desk.keyboard.press("Enter");
    await expect.poll(() => desk.url()).toContain("state=decided");
  });

  test("clears fifty reviews by keyboard, one key each", async () => {
    // Each of 25 customers in two conversations.
    const people = Array.from({ length: 50 }, (_, n) => `c_nw_${String((n % 25) + 1).padStart(3, "0")}`);
    for (const who of people) await stage.talk(who, "I want to talk to a person");
    const desk = await stage.console(/Olivia/);
    const left = () => desk.getByRole("option", { name: /Asks for a person/ }).count();
    await desk.getByRole("button", { name: /^Handoffs/ }).click();
    await desk.getByRole("option").first().click();
    for (let n = 0; n < people.length; n += 1) {
      const before = new URL(desk.url()).searchParams.get("review");
      // A key for what is not yet on the screen does nothing: it would be a decision unseen.
      await desk.locator(`[data-review="${before}"]`).waitFor();
      await desk.keyboard.press("a");
      if (n < people.length - 1) {
        await expect
          .poll(() => new URL(desk.url()).searchParams.get("review"), { timeout: 15_000 })
          .not.toBe(before);
      }
    }
    await expect.poll(left, { timeout: 15_000 }).toBe(0);
  }, 240_000);
});
