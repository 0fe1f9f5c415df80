/** Markup in every field that somebody outside fills is shown as text, in the console and in the widget, and never run. */
import type { Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Stage, say, setStage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
});
afterEach(() => stage?.leave());
afterAll(() => stage?.close());

const HOSTILE = `<img src=x onerror="window.wasRun=1"><svg onload="window.wasRun=2"></svg>`;
/** What is never on a page, in the chat's shadow root neither: markup of a text, or a link that runs something. */
const MADE = "img[src=x], svg[onload], [onerror], a[href^='javascript:' i], iframe";

async function nothingRan(page: Page): Promise<void> {
  expect(await page.locator(MADE).count()).toBe(0);
  expect(await page.evaluate(() => (window as { wasRun?: number }).wasRun)).toBeUndefined();
}

/** Every text of an answer, hostile: names, titles, notes and links of the shop, the provider or a document. */
function hostile(value: unknown, name = ""): unknown {
  if (Array.isArray(value)) return value.map((each) => hostile(each, name));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, hostile(inner, key)]));
  }
  if (typeof value !== "string") return value;
  if (/url$/i.test(name)) return "javascript:window.wasRun=3";
  return TEXTS.test(name) ? `${value} ${HOSTILE}` : value;
}
const TEXTS =
  /^(?:title|text|note|comment|name|customer|issue|tried|recommended|draft_reply|carrier|tracking_?number|question|answer|by|author|what|subject|policy)$/i;

const withHostile = async (route: Route) => {
  const response = await route.fetch();
  await route.fulfill({ response, json: hostile(await response.json()) });
};

test("a review whose every text is hostile: the order's titles, the customer, the clauses, the reply, who did what", async () => {
  await stage.talk("dev", "I want a refund for order 1055", "yes");
  const desk = await stage.console(/Olivia/);
  await desk.route(/\/v1\/operator\/(?:reviews\/rev_|conversations\/)/, (route) =>
    route.request().method() === "GET" ? withHostile(route) : route.continue(),
  );
  await desk.getByRole("option", { name: /#1055/ }).click();
  const card = desk.locator("[data-review]");
  await card.waitFor();
  await card.getByText("Can still be refunded").waitFor();
  await card.getByText("<img src=x").first().waitFor();
  await desk.getByRole("log", { name: "Messages" }).getByText("<img src=x").first().waitFor();
  await desk.keyboard.press("r");
  await desk.getByLabel("Reason").waitFor();
  await stage.picture(desk, "hostile-review");
  await nothingRan(desk);
  const [wide, room] = await desk.evaluate(() => [document.documentElement.scrollWidth, innerWidth] as const);
  expect(wide).toBeLessThanOrEqual(room);
});

test("a chat whose every text is hostile: titles of orders and sources, carriers, tracking links, answers", async () => {
  const page = await stage.page();
  // Without a stream the widget asks for events, which can be changed here.
  await page.route(/\/stream\?/, (route) => route.abort("connectionfailed"));
  await page.route(/\/events\?/, withHostile);
  await page.goto(`${stage.url}/shop?as=ben`);
  await page.getByRole("button", { name: /chat with us/i }).click();
  await say(page, "Where is my order?");
  await page.locator(".card").first().waitFor({ timeout: 30_000 });
  await page.locator(".card").first().getByText("<img src=x").first().waitFor();
  await say(page, "What is your return policy?");
  await page.locator(".sources").getByText("<img src=x").first().waitFor({ timeout: 30_000 });
  await stage.picture(page, "hostile-chat");
  await nothingRan(page);
  expect(await page.locator(".card a").count()).toBe(0);
});

test("an order's note, a file's name and a document's title reach people as text, and no picture is an SVG", async () => {
  const desk = await stage.console(/Olivia/);
  await desk.goto(`${stage.url}/console/knowledge?view=add`);
  await desk.getByLabel("File").setInputFiles({
    name: `${HOSTILE.replaceAll("/", "")}.md`,
    mimeType: "text/markdown",
    buffer: Buffer.from(
      `# Parcel lockers \`${HOSTILE}\`\n\nA parcel locker costs 3.10 USD. [More](javascript:window.wasRun=3)\n`,
    ),
  });
  const added = desk.waitForResponse(
    (response) => response.url().includes("/knowledge") && response.request().method() === "POST",
  );
  await desk.locator("form").getByRole("button", { name: "Add", exact: true }).click();
  await added;
  await nothingRan(desk);
  await desk.goto(`${stage.url}/console/knowledge`);
  await desk
    .getByText(/Shipping at Northwind/)
    .first()
    .waitFor();
  await desk.getByText("<img src=x").first().waitFor();
  await stage.picture(desk, "hostile-documents");
  await nothingRan(desk);
  await desk.goto(`${stage.url}/console/knowledge?view=search&q=How+much+is+a+parcel+locker%3F`);
  await desk.getByRole("button", { name: "Ask", exact: true }).waitFor();
  await nothingRan(desk);

  const shop = await stage.shop("cleo");
  const chooser = shop.waitForEvent("filechooser");
  await shop.getByRole("button", { name: "Attach a picture" }).click();
  await (await chooser).setFiles({
    name: `${HOSTILE}.svg`.replaceAll("/", ""),
    mimeType: "image/svg+xml",
    buffer: Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" onload="window.wasRun=4"><script>window.wasRun=5</script></svg>`,
    ),
  });
  await shop.getByText("Only pictures can be sent.").waitFor();
  expect(await shop.locator(".chosen canvas").count()).toBe(0);
  await nothingRan(shop);

  await stage.setNote({ tenant: "northwind", customer: "fay", orderNumber: "1060" }, HOSTILE);
  const customer = await stage.talk("fay", "Where is my order 1060?", "I want to talk to a person");
  await desk.goto(`${stage.url}/console/conversations?conversation=${customer}`);
  await desk.getByText("Where is my order 1060?").first().waitFor();
  await nothingRan(desk);
  await desk.getByRole("button", { name: /^What it did/ }).click();
  await desk.getByText("Came of it").first().waitFor();
  await nothingRan(desk);
});

test("a message of a megabyte is shown by its beginning, moves nothing aside, and keys are answered", async () => {
  const conversation = await stage.talk("eve", "hello", "I want to talk to a person");
  const desk = await stage.console(/Olivia/);
  const long = "0123456789 ".repeat(95_000);
  await desk.route(/\/v1\/operator\/conversations\/conv_[^/]*\/events/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { events: { type: string; payload: { text?: string } }[] };
    const message = body.events.find(({ type }) => type === "message");
    if (message !== undefined) message.payload.text = long;
    await route.fulfill({ response, json: body });
  });
  await desk.goto(`${stage.url}/console/conversations?conversation=${conversation}`);
  const whole = desk.getByRole("button", { name: /Show all 1,045,000 characters/ });
  await whole.waitFor();
  const room = async () =>
    desk.evaluate(() => document.documentElement.scrollWidth <= innerWidth && innerWidth > 0);
  expect(await room()).toBe(true);
  await stage.picture(desk, "megabyte");
  await desk.keyboard.press("n");
  await desk.getByRole("textbox", { name: "Internal note" }).fill("It was long.");
  await desk.getByRole("button", { name: "Keep note" }).click();
  await desk.getByRole("log", { name: "Messages" }).getByText("It was long.").waitFor();
  await whole.click();
  await whole.waitFor({ state: "hidden" });
  expect(await room()).toBe(true);
  // What is put into one's own answer is cut where the server would refuse it, and that is said.
  await desk.getByRole("button", { name: /^Reply/ }).click();
  const reply = desk.getByRole("textbox", { name: "Reply to the customer" });
  await expect.poll(() => reply.isEditable()).toBe(true);
  await reply.focus();
  await desk.keyboard.insertText("y".repeat(20_000));
  await expect.poll(async () => (await reply.inputValue()).length).toBe(8_000);
  await desk.getByText(/At most 8,000 characters/).waitFor();
});
