/** What the HTTP channel is given: rooms below it and ports, as interfaces; the composition root fills them in. */

import type { Records } from "../../actions/records.ts";
import type { Reviews } from "../../actions/reviews/reviews.ts";
import type { Attachments } from "../../conversations/attachments/attachments.ts";
import type { Conversations } from "../../conversations/conversations.ts";
import type { Checkpoints } from "../../evidence/checkpoints.ts";
import type { Metrics } from "../../evidence/metrics/metrics.ts";
import type { TenantId } from "../../kernel/ids.ts";
import type { LIMITS } from "../../kernel/limits.ts";
import type { Clock, Random } from "../../kernel/ports.ts";
import type { CustomerScope, Scope } from "../../kernel/scope.ts";
import type { Knowledge } from "../../knowledge/knowledge.ts";
import type { Desk } from "../../operators/desk/desk.ts";
import type { Feed } from "../../operators/feed.ts";
import type { KillSwitch } from "../../operators/kill-switch.ts";
import type { Operators } from "../../operators/operators.ts";
import type { Runs } from "../../orchestrator/runs.ts";
import type { Traces } from "../../orchestrator/traces/traces.ts";
import type { Privacy } from "../../privacy/privacy.ts";
import type { ActionSummary } from "../../tools/views.ts";
import type { IdentityLinks } from "../email/email.ts";
import type { MailWebhooks } from "../email/providers/webhooks.ts";
import type { Transcripts } from "../email/transcripts.ts";
import type { UnansweredMails } from "../email/unanswered.ts";
import type { DemoShop } from "./demo-routes.ts";
import type { RatingLinks } from "./rating-links.ts";
import type { Tokens } from "./tokens.ts";
import type { Visitors } from "./visitors.ts";
import type { WebRouteOptions } from "./web-routes.ts";

/** The part of a pino logger that this room uses. */
export interface HttpLog {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

export interface ReadinessCheck {
  readonly name: string;
  readonly ok: boolean;
  /** For operators: what is wrong and what to do, or what was found. */
  readonly detail: string;
}

export interface Readiness {
  readonly ready: boolean;
  readonly checks: readonly ReadinessCheck[];
}

export interface MintedToken {
  readonly token: string;
  readonly customer_id: string;
  readonly tenant: string;
  /** RFC 3339. */
  readonly expires_at: string;
}

/** Tokens for trying the product, without a shop that signs them. Only given in demo mode. */
export interface DemoTokens {
  /** Null when no tenant (or not this one) has such a customer. */
  mint(customer: string, tenant?: string): Promise<MintedToken | null>;
}

/** The limits that this room enforces; a deployment or test may change each. */
export type HttpLimits = {
  readonly [K in keyof typeof LIMITS]: number;
};

export interface HttpParts {
  readonly conversations: Conversations;
  /** Pictures of conversations; without it there are none. */
  readonly attachments?: Attachments;
  readonly runs: Runs;
  /** How runs came to their ends, for operators; without it there are no such routes. */
  readonly traces?: Traces;
  readonly reviews: Reviews;
  /** What explains decisions, for operators; without it there are no such routes. */
  readonly records?: Records;
  /** Copies and erasures of customers; without it there are no such routes. */
  readonly privacy?: Pick<Privacy, "access" | "erasures" | "erased">;
  /** Stops what goes out without a person; without it there are no such routes. */
  readonly killSwitch?: KillSwitch;
  /** How well it goes, for operators; without it there are no such routes. */
  readonly metrics?: Metrics;
  /** What Prometheus says to be let in; without it `/metrics` is not served. */
  readonly metricsToken?: string | null;
  /** Signs how far the audit log goes; without it there is no such route. */
  readonly checkpoints?: Checkpoints;
  /** What answers come from, for operators; without it there are no such routes. */
  readonly knowledge?: Knowledge | null;
  /** Conversations as operators work with them; without it there are no such routes. */
  readonly desk?: Desk;
  /** What has changed, for operators' pages; without it there is no stream of it. */
  readonly feed?: Feed;
  /** @throws ProblemError `not_found` */
  actionView(scope: Scope, actionId: string): Promise<ActionSummary>;
  /** @throws ProblemError `not_found`, `action_not_cancellable` */
  cancelAction(scope: CustomerScope, actionId: string): Promise<ActionSummary>;
  readonly webhook: {
    /**
     * Verifies the signature over the raw bytes and stores the event; answers fast.
     * @throws ProblemError `webhook_signature_invalid`, `webhook_payload_invalid`
     */
    stripe(rawBody: Buffer, signature: string | undefined): Promise<{ outcome: string }>;
  };
  /** Tokens for visitors who have not signed in; without it there are none. */
  readonly visitors?: Visitors;
  /** One-time links of mails; without it there are none. */
  readonly identityLinks?: IdentityLinks;
  /** Conversations sent by mail; without it there are none. */
  readonly transcripts?: Transcripts;
  /** Mails that got no answer, for operators; without it there are no such routes. */
  readonly unansweredMails?: UnansweredMails;
  /** What mail providers post; without it there are no such routes. */
  readonly mailWebhooks?: MailWebhooks;
  /** Links by which customers rate; without it there are none. */
  readonly ratingLinks?: RatingLinks;
  /** Nothing is served but `/healthz` and `/readyz`: a process that only works. */
  readonly probesOnly?: boolean;
  /** Answers within a second or so: it is asked every few seconds by whoever watches the server. */
  readiness(): Promise<Readiness>;
  readonly tokens: Tokens;
  /** People who sign in, and keys for scripts; without it there are no such routes. */
  readonly operators?: Operators;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: HttpLog;
  readonly demo?: DemoTokens;
  /** The demo's storefront; only with `demo`. */
  readonly demoShop?: DemoShop;
  /** Where clients reach this server, such as `https://support.example.com`; else the address it listens on. */
  readonly publicUrl?: string;
  /** Origins of browsers that may call, such as `https://shop.example`. `http://localhost:*` stands for any port. */
  readonly corsOrigins?: readonly string[];
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed; none unless given. */
  readonly trustedProxies?: readonly string[];
  readonly limits?: Partial<HttpLimits>;
  /** IANA name of a tenant's time zone; UTC unless given. */
  readonly timeZoneOf?: (tenantId: TenantId) => string;
  /** What a tenant calls itself; its ID unless given. */
  readonly tenantName?: (tenantId: string) => string;
  /** Pages and widget, hosted beside the API; without it there are none. */
  readonly web?: WebRouteOptions;
  /** Shown in the OpenAPI document. */
  readonly version?: string;
}
