/** The chat on a shop's page: beside another, in several tabs, without storage or streams, offline, small, mirrored. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { SAMPLES } from "../attachments/samples.ts";
import { type Stage, say, setStage } from "./stage.ts";

const ANY_SHOP = "http://localhost:*";
let stage: Stage;
beforeAll(async () => {
  // A shop of another origin than Recourse, as most are.
  stage = await setStage({ RECOURSE_CORS_ORIGINS: ANY_SHOP });
});
afterEach(() => stage?.leave());
afterAll(() => stage?.close());

/** A page of a shop that is nobody's yet; `head` goes before the widget's scripts. */
async function hostPage(
  html: string,
  options: BrowserContextOptions = {},
  before: (page: Page) => Promise<unknown> = async () => {},
): Promise<Page> {
  const page = await stage.page(options);
  await before(page);
  await page.route(`${stage.url}/host`, (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html>${html}` }),
  );
  await page.goto(`${stage.url}/host`);
  return page;
}
const embed = (tenant: string, more = "") =>
  `<script async src="${stage.url}/widget.js" data-tenant="${tenant}" ${more}></script>`;
const launcher = (page: Page, tenant: string) => page.locator(`#recourse-widget-${tenant} button.l`);
const panel = (page: Page, tenant: string) => page.locator(`#recourse-widget-${tenant}`);
const openChat = async (page: Page, tenant = "northwind") => {
  await launcher(page, tenant).click();
  await panel(page, tenant).getByRole("textbox").waitFor();
};
/** What the open chat shows of its customer's messages. */
const mine = (page: Page) => page.locator(".message.mine:not(.waiting) .bubble").allTextContents();

describe("two shops' chats on one page", () => {
  test("are two widgets, each with its own conversation; a script that is there twice is one", async () => {
    const page = await hostPage(
      `<html lang="en"><body><h1>Two shops</h1>${embed("northwind")}${embed("northwind")}${embed("kestrel", 'data-side="left"')}</body></html>`,
    );
    await launcher(page, "kestrel").waitFor();
    expect(await page.locator("[id^=recourse-widget-]").count()).toBe(2);
    for (const tenant of ["northwind", "kestrel"]) {
      await openChat(page, tenant);
      await panel(page, tenant).getByRole("textbox").fill(`hello ${tenant}`);
      await page.keyboard.press("Enter");
      await panel(page, tenant).locator(".message.mine:not(.waiting)").waitFor();
    }
    await stage.picture(page, "widget-two");
    expect(await panel(page, "northwind").locator(".message.mine .bubble").allTextContents()).toEqual([
      "hello northwind",
    ]);
    expect(await panel(page, "kestrel").locator(".message.mine .bubble").allTextContents()).toEqual([
      "hello kestrel",
    ]);
  });
});

describe("several tabs of one customer", () => {
  test("show the same conversation, and what one says the other shows, once", async () => {
    const first = await stage.shop("ada");
    const second = await first.context().newPage();
    await second.goto(`${stage.url}/shop?as=ada`);
    await openChat(second);
    await say(first, "What is your return policy?");
    await second
      .getByText(/30 days/)
      .first()
      .waitFor();
    await say(second, "And how long does a refund take?");
    await expect
      .poll(() => mine(first))
      .toEqual(["What is your return policy?", "And how long does a refund take?"]);
    expect(await mine(second)).toEqual(await mine(first));
  });
});

test("a policy is told in paragraphs, not in the lines that its author broke", async () => {
  const page = await stage.shop("cleo");
  await say(page, "What is your return policy?");
  const bubble = page.locator(".message.agent:not(.draft) .bubble").filter({ hasText: "30 days" });
  await bubble.waitFor();
  const text = (await bubble.textContent()) ?? "";
  expect(text).toContain("\n\n");
  expect(text).not.toMatch(/\p{L},?\n\p{L}/u);
});

describe("where the browser gives little", () => {
  test("no storage: the chat works for as long as the page lives", async () => {
    const page = await hostPage(`<html lang="en"><body>${embed("northwind")}</body></html>`, {}, (page) =>
      page.addInitScript(`
        const refuse = () => { throw new DOMException("denied", "SecurityError"); };
        Object.defineProperty(window, "localStorage", { get: refuse });
        Object.defineProperty(window, "sessionStorage", { get: refuse });
        Object.defineProperty(navigator, "locks", { value: { request: () => Promise.reject(new DOMException("denied", "SecurityError")) } });
      `),
    );
    await openChat(page);
    await say(page, "What is your return policy?");
    await page
      .getByText(/30 days/)
      .first()
      .waitFor();
    await say(page, "thank you");
    await expect.poll(() => mine(page)).toEqual(["What is your return policy?", "thank you"]);
  });

  test("no WebSocket, which it does without; no stream through the proxy: it asks instead", async () => {
    const page = await stage.page();
    const asked: string[] = [];
    await page.addInitScript("window.WebSocket = class { constructor() { throw new Error('blocked'); } };");
    await page.route(/\/stream\?/, (route) => {
      asked.push("stream");
      return route.abort("connectionfailed");
    });
    page.on("request", (request) => /\/events\?/.test(request.url()) && asked.push("events"));
    await page.goto(`${stage.url}/shop?as=cleo`);
    await openChat(page);
    await say(page, "What is your return policy?");
    await page
      .getByText(/30 days/)
      .first()
      .waitFor({ timeout: 30_000 });
    expect(asked.indexOf("stream")).toBeLessThan(asked.indexOf("events"));
  });

  test("offline: what is written waits, is kept over a reload, and is sent once", async () => {
    const page = await stage.shop("eve");
    await say(page, "What is your return policy?");
    await page
      .getByText(/30 days/)
      .first()
      .waitFor();
    await page.context().setOffline(true);
    await say(page, "first while offline");
    await say(page, "second while offline");
    await page.getByText("You are offline.").waitFor();
    expect(await page.locator(".message.waiting").count()).toBe(2);
    await stage.picture(page, "widget-offline");
    await page.context().setOffline(false);
    await page.reload();
    await launcher(page, "northwind").click();
    const all = ["What is your return policy?", "first while offline", "second while offline"];
    await expect.poll(() => mine(page), { timeout: 30_000 }).toEqual(all);
    expect(await page.locator(".message.waiting").count()).toBe(0);
  });
});

describe("on a shop's page of another origin, under the policy that docs/widget.md asks for", () => {
  test("[63] a visitor signs in and their conversation goes along, pictures and download included; nothing is blocked", async () => {
    const page = await stage.page();
    await page.addInitScript(`
      window.blocked = [];
      addEventListener("securitypolicyviolation", (event) => blocked.push(event.violatedDirective + " " + event.blockedURI));
    `);
    // A server of its own: browsers let no page but a local one reach a local server.
    const shop = createServer((_request, response) => {
      response.writeHead(200, {
        "content-type": "text/html",
        "content-security-policy": `default-src 'none'; script-src ${stage.url}; connect-src ${stage.url}`,
      });
      response.end(`<!doctype html><html lang="en"><body>${embed("northwind")}</body></html>`);
    });
    await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void shop.close());
    await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`);
    await openChat(page);
    await say(page, "What is your return policy?");
    await page
      .getByText(/30 days/)
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: "Attach a picture" }).count()).toBe(0);
    const answer = await fetch(`${stage.url}/demo/token`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ customer: "fay" }),
    });
    const { token } = (await answer.json()) as { token: string };
    await page.evaluate((jwt) => {
      (window as unknown as { recourse: { identify(jwt: string): void } }).recourse.identify(jwt);
    }, token);
    const attach = page.getByRole("button", { name: "Attach a picture" });
    await attach.waitFor();
    await expect.poll(() => mine(page)).toEqual(["What is your return policy?"]);
    const chooser = page.waitForEvent("filechooser");
    await attach.click();
    await (await chooser).setFiles({ name: "a.jpg", mimeType: "image/jpeg", buffer: SAMPLES.jpeg });
    await page.locator(".chosen canvas").waitFor();
    await say(page, "Where is my order?");
    await page.locator(".message.mine canvas.picture:not(.lost)").waitFor();
    await page.locator(".card").first().waitFor();
    await page.getByRole("button", { name: "Options" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the conversation" }).click(),
    ]);
    expect(await download.failure()).toBeNull();
    expect(await page.evaluate(() => (window as unknown as { blocked: string[] }).blocked)).toEqual([]);
  });
});

describe("on any page", () => {
  test("right-to-left: it is mirrored, and nothing is cut", async () => {
    const page = await hostPage(
      `<html lang="he" dir="rtl"><body>${embed("northwind", 'data-side="left"')}</body></html>`,
    );
    await openChat(page);
    await say(page, "What is your return policy?");
    await page
      .getByText(/30 days/)
      .first()
      .waitFor();
    const [box, bubble] = await Promise.all([
      page.locator(".panel").boundingBox(),
      page.locator(".message.mine .bubble").first().boundingBox(),
    ]);
    // One's own messages are at the end of the line: on the left here.
    expect((bubble?.x ?? 0) - (box?.x ?? 0)).toBeLessThan(60);
    await page.getByRole("button", { name: "Options" }).click();
    const menu = await page.locator(".menu ul").boundingBox();
    expect(menu?.x).toBeGreaterThanOrEqual(0);
    await stage.picture(page, "widget-rtl");
  });

  test.each([["light"], ["dark"]] as const)(
    "320 px wide, %s: all is there and nothing scrolls sideways",
    async (colorScheme) => {
      const page = await stage.shop("ben", { viewport: { width: 320, height: 640 }, colorScheme });
      await say(page, "Where is my order?");
      await page.locator(".card").first().waitFor();
      await stage.picture(page, `widget-320-${colorScheme}`);
      const log = page.getByRole("log");
      expect(await log.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
      await page.getByRole("button", { name: "Options" }).click();
      await stage.picture(page, `widget-320-menu-${colorScheme}`);
      const menu = await page.locator(".menu ul").boundingBox();
      expect((menu?.x ?? -1) >= 0 && (menu?.x ?? 0) + (menu?.width ?? 0) <= 320).toBe(true);
      // What is pressed is large enough for a finger.
      const sizes = await page
        .locator(".panel button:visible")
        .evaluateAll((all) => all.map((each) => Math.min(each.clientWidth, each.clientHeight)));
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24);
    },
  );

  test("reduced motion: nothing moves by itself", async () => {
    const page = await stage.shop("dev", { reducedMotion: "reduce" });
    await say(page, "hello");
    await page.locator(".message.mine").first().waitFor();
    const moving = await page.evaluate(() => {
      const root = document.querySelector("[id^=recourse-widget-]")?.shadowRoot;
      const log = root?.querySelector(".log");
      return {
        animations: root?.getAnimations().length,
        scroll: log === null || log === undefined ? "" : getComputedStyle(log).scrollBehavior,
      };
    });
    expect(moving).toEqual({ animations: 0, scroll: "auto" });
  });
});

describe("a handoff", () => {
  test("is asked for by the menu, answered by a person with a picture in view, and given back", async () => {
    const customer = await stage.shop("ben");
    await say(customer, "What is your return policy?");
    await customer.locator(".message.agent:not(.draft)").first().waitFor();
    const chooser = customer.waitForEvent("filechooser");
    await customer.getByRole("button", { name: "Attach a picture" }).click();
    await (await chooser).setFiles({
      name: '"><img src=x onerror=alert(1)>.png',
      mimeType: "image/png",
      buffer: SAMPLES.png,
    });
    await customer.locator(".chosen canvas").waitFor();
    await say(customer, "Where is my order?");
    await customer.locator(".message.mine canvas.picture").waitFor();
    // Drawn from what the server keeps: the left half is red.
    await expect
      .poll(() =>
        customer.locator(".message.mine canvas.picture").evaluate((canvas: HTMLCanvasElement) => {
          const pixel = canvas.getContext("2d")?.getImageData(1, 1, 1, 1).data;
          return pixel === undefined ? [] : [...pixel];
        }),
      )
      .toEqual([204, 0, 51, 255]);
    await customer.getByRole("button", { name: "Options" }).click();
    await customer.getByRole("button", { name: "Talk to a person" }).click();
    await customer.getByText("A person has this conversation now.").waitFor();
    await stage.picture(customer, "widget-handoff");
    // Who reads the end goes on reading the end, whatever comes.
    expect(await customer.getByRole("button", { name: /newest/ }).count()).toBe(0);

    const desk = await stage.console(/Olivia/);
    await desk
      .getByRole("option", { name: /Asks for a person/ })
      .first()
      .click();
    const picture = desk.getByRole("img", { name: /Sent by the customer/ });
    await picture.waitFor();
    await expect
      .poll(() => picture.evaluate((img: HTMLImageElement) => [img.naturalWidth, img.naturalHeight]))
      .toEqual([8, 4]);
    await stage.picture(desk, "operator-picture");
    const answer = desk.getByRole("textbox", { name: "Reply to the customer" });
    await answer.fill("Sorry about the mug: a new one is on its way.");
    await answer.press("Control+Enter");
    await customer.getByText("Sorry about the mug: a new one is on its way.").waitFor();
    await desk
      .getByRole("button", { name: /^Give back/ })
      .first()
      .click();
    await expect.poll(() => customer.getByText("A person has this conversation now.").count()).toBe(0);
    await say(customer, "What is your return policy?");
    await customer
      .getByText(/30 days/)
      .first()
      .waitFor();
  });
});

describe("the demo shop's panel of faults", () => {
  test("declines: the customer is told as it is, and nothing was paid", async () => {
    const shop = await stage.shop("ada");
    const declines = shop.getByRole("button", { name: "Declines the refund" });
    await declines.click();
    await expect.poll(() => declines.getAttribute("aria-pressed")).toBe("true");
    await say(shop, "I want a refund for the socks");
    await shop.getByRole("button", { name: "Yes", exact: true }).click();
    await shop.getByText("Did not go through", { exact: true }).waitFor({ timeout: 30_000 });
    await expect.poll(() => declines.getAttribute("aria-pressed"), { timeout: 10_000 }).toBe("false");
    const paid = (await stage.refunds("1042")).filter(({ status }) => status === "succeeded");
    expect(paid).toEqual([]);
    await stage.picture(shop, "shop-declined");
  });

  test("is away: nothing is promised meanwhile, and afterwards there is one refund", async () => {
    const shop = await stage.shop("lena");
    const field = shop.getByRole("textbox").first();
    await field.fill("Ich möchte eine Erstattung für das Kabel aus Bestellung 2042");
    await field.press("Enter");
    const yes = shop.getByRole("button", { name: "Ja", exact: true });
    await yes.waitFor();
    await shop.getByRole("button", { name: "Is away until you end it" }).click();
    await shop.getByRole("button", { name: "Is away until you end it", pressed: true }).waitFor();
    await yes.click();
    await shop.getByText("noch nichts geschehen").waitFor();
    await shop.getByRole("button", { name: "All works again" }).click();
    await shop.getByRole("button", { name: "Is away until you end it", pressed: false }).waitFor();
    expect(await stage.refunds("2042")).toEqual([]);
    await shop.getByRole("button", { name: "Noch einmal versuchen" }).click();
    await yes.click();
    await shop.getByText("hat Ihre Erstattung").waitFor({ timeout: 30_000 });
    expect((await stage.refunds("2042")).map(({ amount }) => amount)).toEqual([1_900]);
    await stage.picture(shop, "shop-back");
  });
});
