/** The real server with its sandbox, a browser, and the people of the demo in it. */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { launchChromium } from "../../bench/chromium.ts";
import { Customer, freePort, type Running, startServer, stop } from "../../bench/processes.ts";

/** Pictures of what was seen, kept by whoever runs the lane. */
const PICTURES = process.env.RECOURSE_E2E_PICTURES ?? join(tmpdir(), "recourse-e2e");

export interface Stage {
  readonly url: string;
  readonly browser: Browser;
  /** A page of a person of its own: nothing is shared with others. */
  page(options?: BrowserContextOptions): Promise<Page>;
  /** The shop with the chat open. */
  shop(as: string, options?: BrowserContextOptions): Promise<Page>;
  /** The console, signed in by one click. */
  console(who: RegExp, options?: BrowserContextOptions): Promise<Page>;
  /** What the provider holds for an order, read past the product. */
  refunds(orderNumber: string): Promise<readonly { id: string; amount: number; status: string }[]>;
  /** Writes an order's note at the shop. */
  setNote(
    of: { readonly tenant: string; readonly customer: string; readonly orderNumber: string },
    note: string,
  ): Promise<void>;
  /** What the sandbox's mailbox has for an address, oldest first. */
  mails(to: string): Promise<readonly { subject: string; text: string }[]>;
  /** A conversation over the API: what a customer said, and its ID. */
  talk(as: string, ...texts: readonly string[]): Promise<string>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  picture(page: Page, name: string): Promise<void>;
  /** Closes every page: what nobody looks at asks for nothing. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

/** `env`: more of the server's environment. */
export async function setStage(env: Record<string, string> = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), "recourse-e2e-"));
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const begin = (): Promise<Running> =>
    startServer({ folder, port, sandboxPort, env: { RECOURSE_LOG_LEVEL: "error", ...env } });
  let server = await begin();
  const browser = await launchChromium();
  const contexts: BrowserContext[] = [];
  const url = `http://127.0.0.1:${port}`;

  const stage: Stage = {
    url,
    browser,
    async page(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
      context.setDefaultTimeout(15_000);
      contexts.push(context);
      return context.newPage();
    },
    async shop(as, options) {
      const page = await stage.page(options);
      await page.goto(`${url}/shop?as=${as}`);
      await page.getByRole("button", { name: /chat with us/i }).click();
      await page.getByRole("textbox", { name: "Write a message" }).waitFor();
      return page;
    },
    async console(who, options) {
      const page = await stage.page(options);
      await page.goto(`${url}/console`);
      await page.getByRole("button", { name: who }).first().click();
      await page.getByRole("navigation", { name: "Pages" }).waitFor();
      return page;
    },
    async refunds(orderNumber) {
      const answer = await fetch(`http://127.0.0.1:${sandboxPort}/v1/charges?limit=100`, {
        headers: { authorization: "Bearer sk_test_sandbox" },
      });
      const charges: { id: string; metadata: Record<string, string> }[] = [];
      let page = (await answer.json()) as { data: typeof charges; has_more: boolean };
      for (;;) {
        charges.push(...page.data);
        const last = page.data.at(-1);
        if (!page.has_more || last === undefined) break;
        const next = await fetch(
          `http://127.0.0.1:${sandboxPort}/v1/charges?limit=100&starting_after=${last.id}`,
          { headers: { authorization: "Bearer sk_test_sandbox" } },
        );
        page = (await next.json()) as typeof page;
      }
      const charge = charges.find(({ metadata }) => metadata.order_number === orderNumber);
      if (charge === undefined) throw new Error(`the provider has no charge of order ${orderNumber}`);
      const refunds = await fetch(
        `http://127.0.0.1:${sandboxPort}/v1/refunds?charge=${charge.id}&limit=100`,
        {
          headers: { authorization: "Bearer sk_test_sandbox" },
        },
      );
      return ((await refunds.json()) as { data: { id: string; amount: number; status: string }[] }).data;
    },
    async setNote({ tenant, customer, orderNumber }, note) {
      const shop = `http://127.0.0.1:${sandboxPort}/shop`;
      const found = await fetch(`${shop}/v1/${tenant}/customers/${customer}/orders/${orderNumber}`, {
        headers: { authorization: "Bearer shop_test_sandbox" },
      });
      const { order } = (await found.json()) as { order: { id: string } };
      const answer = await fetch(`${shop}/sandbox/orders/${order.id}`, {
        method: "POST",
        headers: { authorization: "Bearer shop_test_sandbox", "content-type": "application/json" },
        body: JSON.stringify({ note }),
      });
      const changed = (await answer.json()) as { order: { note: string } };
      if (changed.order.note !== note) throw new Error(`the shop did not take the note of ${orderNumber}`);
    },
    async mails(to) {
      const answer = await fetch(`http://127.0.0.1:${sandboxPort}/sandbox/mail?to=${encodeURIComponent(to)}`);
      return ((await answer.json()) as { mails: { subject: string; text: string }[] }).mails;
    },
    async talk(as, ...texts) {
      const customer = await Customer.enter(url, as);
      const conversation = await customer.open();
      const stream = await customer.stream(conversation);
      for (const [n, text] of texts.entries()) {
        const { run_id: run } = await customer.send(conversation, text, `e2e-${n}`);
        if (run !== null) {
          await stream.until(
            (event) =>
              event.type === "run" && event.run_id === run && !/queued|running/.test(event.state ?? ""),
          );
        }
      }
      stream.close();
      return conversation;
    },
    async kill() {
      server.child.kill("SIGKILL");
      await server.exited;
    },
    async restart() {
      server = await begin();
    },
    async picture(page, name) {
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, `${name}.png`) });
    },
    async leave() {
      for (const context of contexts.splice(0)) await context.close();
    },
    async close() {
      await stage.leave();
      await browser.close();
      await stop(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return stage;
}

/** Says something in the open chat. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Write a message" });
  await field.fill(text);
  await field.press("Enter");
}
