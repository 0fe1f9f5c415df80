/** The whole product over HTTP, with two operators of Northwind, one of Kestrel, and customers. */
import { createRatingLinks } from "../../src/channels/http/rating-links.ts";
import { createTokens } from "../../src/channels/http/tokens.ts";
import { systemClock, systemRandom } from "../../src/kernel/ports.ts";
import { createFeed } from "../../src/operators/feed.ts";
import { KESTREL, NORTHWIND, type Running, startServer, tokenFor } from "../http/fixture.ts";
import { createTestSystem, type TestOptions } from "../kit/system.ts";

export const TOKENS = {
  olivia: "token-of-olivia-northwind",
  oscar: "token-of-oscar-northwind",
  kim: "token-of-kim-kestrel",
} as const;
export type Person = keyof typeof TOKENS;

export type Office = Awaited<ReturnType<typeof openOffice>>;

export async function openOffice(options: TestOptions = {}) {
  const w = await createTestSystem(options);
  const feed = await createFeed({ store: w.store, hub: w.hub, random: systemRandom });
  const { system } = w;
  const running: Running = await startServer({
    ...system,
    webhook: system.webhooks,
    ratingLinks: createRatingLinks({ secret: "a secret of rating links that is long", clock: systemClock }),
    feed,
    tokens: createTokens({
      issuers: [NORTHWIND, KESTREL],
      operators: [
        { tenantId: "northwind", name: "olivia", token: TOKENS.olivia },
        { tenantId: "northwind", name: "oscar", token: TOKENS.oscar },
        { tenantId: "kestrel", name: "kim", token: TOKENS.kim },
      ],
      clock: systemClock,
    }),
  });
  return {
    w,
    running,
    feed,
    /** The API as a person of a shop. */
    as: (person: Person, method: string, path: string, body?: unknown) =>
      running.call(method, path, {
        token: TOKENS[person],
        ...(body === undefined ? {} : { body }),
      }),
    /** The API as a customer of Northwind. */
    asCustomer: async (sub: string, method: string, path: string, body?: unknown) =>
      running.call(method, path, {
        token: await tokenFor({ sub }),
        ...(body === undefined ? {} : { body }),
      }),
    async close() {
      await feed.stop();
      await w.close();
    },
  };
}
