/**
 * The sandbox over HTTP: shop and payment server on one port. Used by the product's own process, or
 * alone (`sandbox/main.ts`), so that the provider outlives a killed server.
 */

import { mkdirSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { ProblemError } from "../src/kernel/errors.ts";
import type { Clock, Random } from "../src/kernel/ports.ts";
import { startSandboxMail } from "./mail.ts";
import { createPaymentSandbox } from "./payments/app.ts";
import { createSandboxShop } from "./shop/server.ts";
import { chargesOf } from "./shop/world.ts";

export const SANDBOX_WEBHOOK_SECRET = "whsec_sandbox";

export interface RunningSandbox {
  readonly url: string;
  readonly port: number;
  stop(): Promise<void>;
}

export interface SandboxOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Where its state is kept; null for memory. */
  readonly folder: string | null;
  /** Where events are delivered; can be set later by `POST /sandbox/webhook {"url": …}`. */
  readonly webhookUrl: string | null;
  readonly clock: Clock;
  readonly random: Random;
  /** Customers more than the world's own, for a load. */
  readonly crowd?: number;
}

/** @throws ProblemError `port_in_use` */
export async function serveSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const { clock, random, folder, crowd = 0 } = options;
  if (folder !== null) mkdirSync(folder, { recursive: true });
  const storage = (name: string) => (folder === null ? ":memory:" : join(folder, name));
  const shop = createSandboxShop({ clock, storage: storage("shop.db"), crowd });
  const payments = createPaymentSandbox({ clock, random, storage: storage("payments.db") });
  payments.seedCharges(chargesOf(shop.world));
  const setWebhook = (url: string) => payments.setWebhook({ url, secret: SANDBOX_WEBHOOK_SECRET });
  if (options.webhookUrl !== null) setWebhook(options.webhookUrl);

  const app = new Hono();
  app.post("/sandbox/webhook", async (c) => {
    const { url } = await c.req.json<{ url?: unknown }>();
    if (typeof url !== "string" || !URL.canParse(url)) return c.json({ error: "`url` must be a URL." }, 400);
    setWebhook(url);
    return c.json({ url });
  });
  const mail = await startSandboxMail(options.host);
  app.route("/", mail.app);
  app.route("/", shop.app);
  app.route("/", payments.app);

  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) =>
      reject(
        cause.code === "EADDRINUSE"
          ? new ProblemError("port_in_use", `Port ${options.port} is taken (RECOURSE_SANDBOX_PORT).`, {
              next: "Stop the program that uses it, or set RECOURSE_SANDBOX_PORT to another port.",
              cause,
            })
          : cause,
      ),
    );
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host}:${port}`,
    port,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mail.stop();
      await payments.stop();
      shop.stop();
    },
  };
}
