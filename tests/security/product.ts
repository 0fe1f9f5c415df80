/** A server with every route that the product can have, people of every role at two merchants, and nothing behind the routes. */
import { randomUUID } from "node:crypto";
import { createRecords } from "../../src/actions/records.ts";
import { createTokens } from "../../src/channels/http/tokens.ts";
import { createVisitors, visitorIssuer } from "../../src/channels/http/visitors.ts";
import type { Attachments } from "../../src/conversations/attachments/attachments.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { systemRandom } from "../../src/kernel/ports.ts";
import type { Knowledge } from "../../src/knowledge/knowledge.ts";
import type { Role } from "../../src/operators/permissions.ts";
import { KESTREL as KESTREL_ISSUER, NORTHWIND as NORTHWIND_ISSUER, startServer } from "../http/fixture.ts";
import { KESTREL, NORTHWIND, type TestTeam, testTeam } from "../operators/fixture.ts";
import { nowhere } from "../operators/http.ts";

const VISITOR_SECRET = `visitors of a test ${randomUUID()}`;

export async function everyRoute() {
  const team = await testTeam();
  const visitors = createVisitors({
    secret: VISITOR_SECRET,
    tenants: [NORTHWIND, KESTREL],
    clock: team.clock,
    random: systemRandom,
  });
  const running = await startServer({
    operators: team.operators,
    records: createRecords(team.store),
    knowledge: nowhere as Knowledge,
    attachments: nowhere as Attachments,
    visitors,
    tokens: createTokens({
      issuers: [
        NORTHWIND_ISSUER,
        KESTREL_ISSUER,
        ...[NORTHWIND, KESTREL].map((id) => visitorIssuer(VISITOR_SECRET, id)),
      ],
      operators: [],
      clock: team.clock,
    }),
    identityLinks: nowhere as never,
    transcripts: nowhere as never,
    ratingLinks: nowhere as never,
    unansweredMails: nowhere as never,
    mailWebhooks: nowhere as never,
    checkpoints: nowhere as never,
    killSwitch: nowhere as never,
    traces: nowhere as never,
    metrics: nowhere as never,
    metricsToken: "a token of a test for Prometheus",
    privacy: {
      access: nowhere as never,
      erasures: nowhere as never,
      erased: { erasedAtMs: () => null, onErased: () => () => {}, refresh: nowhere, start: nowhere } as never,
    },
    demo: { mint: async () => null },
    demoShop: { people: [], shops: [], orders: async () => [], faults: async () => [] },
    web: { folder: "nothing", pages: ["console", "shop"] },
    clock: team.clock,
    limits: {
      signInsPerAddressBurst: 100_000,
      linksPerAddressBurst: 100_000,
      requestsPerCustomerBurst: 100_000,
      requestsPerTenantBurst: 100_000,
      feedStreamMs: 20,
      heartbeatMs: 20,
    },
  });
  return { team, running, visitors };
}

/** The cookie of somebody new who has the role in the tenant. */
export async function signedInAs(team: TestTeam, tenant: TenantId, role: Role): Promise<string> {
  const email = `${role}@${tenant}.example`;
  await team.person(email, { [tenant]: role });
  return team.signedIn(email);
}
