/** The payment server by itself on a port; `sandbox/serve.ts` serves it together with the shop. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import type { PaymentSandbox } from "./app.ts";

export interface ServedPayments {
  readonly url: string;
  readonly port: number;
  /** Ends connections at once, then stops the sandbox. */
  stop(): Promise<void>;
}

/** @param port 0 takes any free port */
export async function servePayments(
  sandbox: PaymentSandbox,
  port = 0,
  host = "127.0.0.1",
): Promise<ServedPayments> {
  const server = createAdaptorServer({ fetch: sandbox.app.fetch }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `http://${host}:${bound}`,
    port: bound,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await sandbox.stop();
    },
  };
}
