/** States that come and go: what is being written, refused, offline or settled is as accessible as what stays. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
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
  test("in a visitor's chat that asks for an address, says that it wrote there, and on the page of that mail", async () => {
    const page = await stage.shop("ada", options);
    await page.evaluate(() => {
      (window as unknown as { recourse: { signOut(): void } }).recourse.signOut();
    });
    await say(page, "What is your return policy?");
    await page
      .getByText(/30 days/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Options" }).click();
    await page.getByRole("button", { name: "End it and send me a copy by email" }).click();
    const field = page.getByRole("textbox", { name: "Your email address" });
    await field.fill(`axe-${name}@example.com`);
    await stage.picture(page, `axe-address-${name}`);
    expect(await violations(page)).toEqual([]);
    const box = await page.locator(".naming").boundingBox();
    expect(
      (box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? 0) <= (page.viewportSize()?.width ?? 0),
    ).toBe(true);
    await field.press("Enter");
    await page.getByText("We have written to a…@example.com.").waitFor();
    expect(await violations(page)).toEqual([]);
    const link = async () =>
      /http\S+\/transcript\/\S+/.exec((await stage.mails(`axe-${name}@example.com`))[0]?.text ?? "")?.[0];
    await expect.poll(link, { timeout: 20_000 }).toBeDefined();
    const mailbox = await stage.page(options);
    await mailbox.goto((await link()) ?? "");
    expect(await violations(mailbox)).toEqual([]);
  });

  test("in a chat that is offline, too fast, or refused", async () => {
    const page = await stage.shop("cleo", options);
    await page.route("**/messages", (route) =>
      route.fulfill({ status: 429, headers: { "retry-after": "30" }, json: { code: "rate_limited" } }),
    );
    await say(page, "hello");
    await page.getByText(/That was fast/).waitFor();
    expect(await violations(page)).toEqual([]);
    const other = await stage.shop("eve", options);
    await other.route("**/messages", (route) =>
      route.fulfill({ status: 400, json: { code: "body_invalid", detail: "It cannot be taken." } }),
    );
    await say(other, "hello");
    await other.getByRole("button", { name: "Try again" }).waitFor();
    await stage.picture(other, `axe-refused-${name}`);
    expect(await violations(other)).toEqual([]);
    await other.unroute("**/messages");
    await other.context().setOffline(true);
    await other.getByRole("button", { name: "Try again" }).click();
    await other.getByText("You are offline.").waitFor();
    expect(await violations(other)).toEqual([]);
  });

  test("in a handoff that is being answered, a conflict, what is decided, and in the palette", async () => {
    const desk = await stage.console(/Olivia/, options);
    await desk
      .getByRole("option", { name: /Asks for a person/ })
      .first()
      .click();
    await desk.getByRole("button", { name: /^Resolved/ }).waitFor();
    expect(await violations(desk)).toEqual([]);
    await desk.keyboard.press("r");
    await desk.getByLabel("Answer").waitFor();
    expect(await violations(desk)).toEqual([]);
    await desk.getByRole("button", { name: /^Not yet/ }).click();
    await desk.route("**/decision", (route) =>
      route.fulfill({
        status: 409,
        json: {
          code: "review_changed",
          detail: "This has changed since you looked.",
          next: "Look again, and decide on what it says now.",
          changed: [{ field: "amount", seen: "40.00", now: "30.00" }],
        },
      }),
    );
    await desk.getByRole("button", { name: /^Resolved/ }).click();
    const conflict = desk.getByRole("alert").filter({ hasText: "This has changed" });
    await conflict.getByRole("row").filter({ hasText: "amount" }).filter({ hasText: "30.00" }).waitFor();
    await stage.picture(desk, `axe-conflict-${name}`);
    expect(await violations(desk)).toEqual([]);
    await desk.keyboard.press("Control+k");
    await desk.keyboard.type("dec");
    await desk.getByRole("dialog").waitFor();
    expect(await violations(desk)).toEqual([]);
    await desk.keyboard.press("Escape");
    await desk.goto(`${stage.url}/console/queue?state=decided`);
    await desk.getByText("Nothing here").or(desk.getByRole("option").first()).first().waitFor();
    expect(await violations(desk)).toEqual([]);
  });
});
