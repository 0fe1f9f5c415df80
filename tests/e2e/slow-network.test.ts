/** On a slow line everything works and happens once; and the widget of another site's page needs no cookie at all. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Stage, say, setStage } from "./stage.ts";

/** Chromium's own "Slow 3G". */
const SLOW_3G = { latency: 2_000, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PATIENCE_MS = 60_000;
let stage: Stage;
beforeAll(async () => {
  stage = await setStage({ RECOURSE_CORS_ORIGINS: "http://localhost:*" });
});
afterEach(() => stage?.leave());
afterAll(() => stage?.close());

async function slow(page: Page): Promise<void> {
  page.context().setDefaultTimeout(PATIENCE_MS);
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, ...SLOW_3G });
}

test("slow 3G: a customer gets a refund, pressed impatiently, once", async () => {
  const page = await stage.page();
  await slow(page);
  await page.goto(`${stage.url}/shop?as=ada`);
  await page.getByRole("button", { name: /chat with us/i }).click();
  await say(page, "I want a refund for the socks");
  const yes = page.getByRole("button", { name: "Yes", exact: true });
  await yes.waitFor();
  await yes.dblclick();
  await page.getByText("The payment provider has confirmed your refund").waitFor();
  expect((await stage.refunds("1042")).map(({ amount }) => amount)).toEqual([2_400]);
  await stage.picture(page, "slow-customer");
}, 180_000);

test("slow 3G: an operator approves, pressed impatiently, and it is decided and paid once", async () => {
  await stage.talk("dev", "I want a refund for order 1055", "yes");
  const desk = await stage.console(/Olivia/);
  await slow(desk);
  await desk.reload();
  await desk.getByRole("option", { name: /#1055/ }).click();
  await desk.getByRole("button", { name: /^Approve/ }).waitFor();
  for (const _ of [1, 2, 3]) await desk.keyboard.press("a");
  await desk.getByRole("button", { name: /Undo/ }).waitFor();
  await stage.picture(desk, "slow-operator");
  await expect.poll(async () => (await stage.refunds("1055")).length, { timeout: PATIENCE_MS }).toBe(1);
  const headers = { authorization: "Bearer demo-operator-northwind" };
  const log = await fetch(`${stage.url}/v1/operator/audit/search?kind=review.approve`, { headers });
  expect(((await log.json()) as { entries: unknown[] }).entries).toHaveLength(1);
}, 180_000);

test("third-party cookies blocked: on another site's page the widget neither sets nor sends one, and works over a reload", async () => {
  const shop = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<!doctype html><html lang="en"><body><script async src="${stage.url}/widget.js" data-tenant="northwind"></script></body></html>`,
    );
  });
  await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void shop.close());
  const page = await stage.page();
  const [sent, set]: [string[], string[]] = [[], []];
  page.on("request", async (request) => {
    if ((await request.allHeaders()).cookie !== undefined) sent.push(request.url());
  });
  page.on("response", async (response) => {
    if ((await response.headerValue("set-cookie")) !== null) set.push(response.url());
  });
  const open = () => page.locator("#recourse-widget-northwind button.l").click();
  await page.goto(`http://localhost:${(shop.address() as AddressInfo).port}/`);
  await open();
  await say(page, "What is your return policy?");
  await page
    .getByText(/30 days/)
    .first()
    .waitFor();
  await page.reload();
  await open();
  await page.locator(".message.mine").getByText("What is your return policy?").waitFor();
  expect(await page.context().cookies()).toEqual([]);
  expect([sent, set]).toEqual([[], []]);
});
