/** What goes wrong for operators: hostile texts, roles that change, two who set the same, a server that restarts. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { violations } from "./axe.ts";
import { type Stage, setStage } from "./stage.ts";

const MARKUP = `<img src=x onerror="window.wasRun=1"> <svg onload="window.wasRun=2"></svg> [x](javascript:window.wasRun=3)`;
const OPERATOR = { authorization: "Bearer demo-operator-northwind" };
let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterEach(() => stage?.leave());
afterAll(() => stage?.close());

describe("the console", () => {
  test("shows a customer's markup as text and runs none of it", async () => {
    const conversation = await stage.talk("ben", MARKUP, "I want to talk to a person");
    const desk = await stage.console(/Olivia/);
    await desk.goto(`${stage.url}/console/conversations?conversation=${conversation}`);
    await desk.getByText("<img src=x").first().waitFor();
    await desk.getByRole("button", { name: /^What it did/ }).click();
    await desk.getByText("Came of it").first().waitFor();
    await desk.goto(`${stage.url}/console/queue`);
    await desk
      .getByRole("option", { name: /Asks for a person/ })
      .first()
      .click();
    await desk.locator("[data-review]").waitFor();
    await desk.goto(`${stage.url}/console/audit?by=${encodeURIComponent(MARKUP.slice(0, 60))}`);
    await desk.getByText("Nothing fits").waitFor();
    expect(await desk.evaluate(() => (window as { wasRun?: number }).wasRun)).toBeUndefined();
    expect(await desk.locator("main img, main svg[onload], main a[href^=javascript]").count()).toBe(0);
  });

  test("stays quick with the longest message that there is", async () => {
    const conversation = await stage.talk("ada", "x".repeat(7_990));
    const desk = await stage.console(/Olivia/);
    await desk.goto(`${stage.url}/console/conversations?conversation=${conversation}`);
    await desk.getByText("x".repeat(200)).last().waitFor();
    const [wide, room] = await desk.evaluate(
      () => [document.documentElement.scrollWidth, innerWidth] as const,
    );
    expect(wide).toBeLessThanOrEqual(room);
  });

  test("takes away what a role may not do any more while somebody is signed in", async () => {
    const otto = await stage.console(/Otto/);
    await otto.goto(`${stage.url}/console/conversations`);
    await otto.getByRole("link", { name: "Settings" }).waitFor();
    const admin = await stage.console(/Ada Min/);
    await admin.goto(`${stage.url}/console/settings?view=team`);
    await admin.getByRole("combobox", { name: "Role of Otto Brandt" }).selectOption("auditor");
    await admin.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
    await otto.getByRole("link", { name: "Audit" }).waitFor();
    await admin.getByRole("combobox", { name: "Role of Otto Brandt" }).selectOption("agent");
    await admin.getByRole("dialog").getByRole("button", { name: "Change role" }).click();
    await otto.getByRole("link", { name: "Audit" }).waitFor({ state: "hidden" });
  });

  test("shows nothing of another tenant under its IDs", async () => {
    const conversation = await stage.talk(
      "lena",
      "Ich möchte eine Erstattung für das Kabel aus Bestellung 2042",
      "Ja",
    );
    const theirs = await fetch(`${stage.url}/v1/operator/actions?limit=1`, {
      headers: { authorization: "Bearer demo-operator-kestrel" },
    });
    const [action] = ((await theirs.json()) as { actions: { action_id: string }[] }).actions;
    const id = action?.action_id ?? "";
    expect(id).toMatch(/^act_/);
    const desk = await stage.console(/Olivia/);
    await desk.goto(`${stage.url}/console/actions?action=${id}`);
    await desk.getByRole("region", { name: "Action", exact: true }).getByRole("alert").waitFor();
    await desk.goto(`${stage.url}/console/conversations?conversation=${conversation}`);
    await desk.getByRole("region", { name: "Conversation", exact: true }).getByRole("alert").waitFor();
    expect(await desk.getByText(/2042|Kabel/).count()).toBe(0);
  });

  test("never overwrites what another admin has set meanwhile, and keeps what was typed until it is read", async () => {
    const [first, second] = [await stage.console(/Ada Min/), await stage.console(/Ada Min/)];
    for (const desk of [first, second]) {
      await desk.goto(`${stage.url}/console/settings?view=tenant`);
      await desk.getByLabel("Valued customer from").waitFor();
    }
    await first.getByLabel("Very unhappy below").fill("-0.7");
    await second.getByLabel("Very unhappy below").fill("-0.5");
    // The second page learns of the change from the answer to its own save, not from news before it.
    const news = Promise.withResolvers<void>();
    await second.route("**/v1/operator/settings", async (route) => {
      if (route.request().method() === "GET") await news.promise;
      await route.continue();
    });
    await first.getByRole("button", { name: "Save" }).click();
    await first.getByText("Saved", { exact: true }).first().waitFor();
    await second.getByRole("button", { name: "Save" }).click();
    await second.getByText(/has changed this since/).waitFor();
    expect(await second.getByLabel("Very unhappy below").inputValue()).toBe("-0.5");
    news.resolve();
    await second.getByRole("button", { name: "Read it again" }).click();
    await expect.poll(() => second.getByLabel("Very unhappy below").inputValue()).toBe("-0.7");
    const { areas } = (await (
      await fetch(`${stage.url}/v1/operator/settings`, { headers: OPERATOR })
    ).json()) as { areas: { area: string; value: { sentiment?: number } }[] };
    expect(areas.find(({ area }) => area === "escalation")?.value.sentiment).toBe(-0.7);
  });

  test("keeps the form and what is typed in it while the server answers nothing but errors", async () => {
    const desk = await stage.console(/Ada Min/);
    await desk.goto(`${stage.url}/console/settings?view=tenant`);
    await desk.getByLabel("Very unhappy below").fill("-0.6");
    let failed = 0;
    await desk.route("**/v1/operator/settings", async (route) => {
      failed += 1;
      await route.fulfill({ status: 503, json: { code: "internal", detail: "Too busy." } });
    });
    const other = await stage.console(/Ada Min/);
    await other.goto(`${stage.url}/console/settings?view=tenant`);
    await other.getByLabel("Valued customer from").fill("1234.00");
    await other.getByRole("button", { name: "Save" }).click();
    await other.getByText("Saved", { exact: true }).first().waitFor();
    // The first request and three more.
    await expect.poll(() => failed, { timeout: 30_000 }).toBeGreaterThanOrEqual(4);
    expect(await desk.getByLabel("Very unhappy below").inputValue()).toBe("-0.6");
  });

  test("says at once that the browser has no network, and reads anew what it missed", async () => {
    const desk = await stage.console(/Olivia/);
    const banner = desk.getByText(/What you see may be old/);
    await desk
      .getByRole("status")
      .filter({ hasText: /Connecting/ })
      .waitFor({ state: "detached" });
    const before = await desk.getByRole("option").count();
    await desk.context().setOffline(true);
    await banner.waitFor();
    await desk.getByText("Offline", { exact: true }).waitFor();
    expect(await violations(desk)).toEqual([]);
    await stage.picture(desk, "offline");
    await stage.talk("cleo", "I want to talk to a person");
    await desk.context().setOffline(false);
    await banner.waitFor({ state: "hidden" });
    await expect.poll(() => desk.getByRole("option").count()).toBe(before + 1);
  });

  test("keeps the reason that is being typed while the server restarts, and sends it once", async () => {
    await stage.talk("dev", "I want a refund for order 1055", "yes");
    const desk = await stage.console(/Olivia/);
    await desk.getByRole("option", { name: /#1055/ }).click();
    await desk.getByRole("button", { name: /^Reject/ }).click();
    await desk.getByLabel("Reason").fill("It was worn, as the pictures show.");
    await stage.kill();
    await desk.getByLabel("Reason").press("Control+Enter");
    await desk.getByText("It may have arrived all the same. Look, then do it again.").first().waitFor();
    const banner = desk.getByText(/What you see may be old/);
    await banner.waitFor();
    await stage.picture(desk, "restart-while-typing");
    await stage.restart();
    await banner.waitFor({ state: "hidden", timeout: 30_000 });
    expect(await desk.getByLabel("Reason").inputValue()).toBe("It was worn, as the pictures show.");
    await expect
      .poll(
        async () => {
          if ((await desk.getByLabel("Reason").count()) > 0)
            await desk.getByLabel("Reason").press("Control+Enter");
          return desk.getByRole("option", { name: /#1055/ }).count();
        },
        { timeout: 30_000, interval: 1_000 },
      )
      .toBe(0);
    expect(await stage.refunds("1055")).toHaveLength(0);
  });
});
