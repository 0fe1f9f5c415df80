/**
 * Room `tools`: what an agent can ask for, one file a tool. May import `kernel`, `store`, `commerce`,
 * `actions`.
 * Promises: no tool takes a tenant or a customer (a gate test looks): who asks comes from the verified
 * scope alone; unknown fields are refused.
 */
import type { z } from "zod";
import type { ReviewRules } from "../actions/reviews/settings.ts";
import type { EscalationThresholds } from "../agents/escalation.ts";
import type { Orders } from "../commerce/orders.ts";
import type { Payments } from "../commerce/payments.ts";
import type { ConversationId, RunId } from "../kernel/ids.ts";
import type { Language } from "../kernel/language.ts";
import type { Currency } from "../kernel/money.ts";
import type { OpeningHours } from "../kernel/opening-hours.ts";
import type { Clock } from "../kernel/ports.ts";
import type { Assurance, CustomerScope } from "../kernel/scope.ts";
import type { KnowledgeAnswer, KnowledgeQuestion } from "../knowledge/knowledge.ts";
import type { Store } from "../store/store.ts";

export interface TenantFacts {
  readonly name: string;
  readonly currency: Currency;
  readonly timeZone: string;
  /** What customers are answered in until they show another language; English by default. */
  readonly language?: Language;
  /** Hosts of the merchant that links in answers may lead to; none by default. */
  readonly linkHosts?: readonly string[];
  /** E-mail addresses, phone numbers and postal addresses that the merchant publishes. */
  readonly contacts?: readonly string[];
  /** False: the first answer of a conversation does not say that an AI writes. On by default. */
  readonly aiDisclosure?: boolean;
  /** When people answer; absent: no hours are told. */
  readonly openingHours?: OpeningHours;
  /** How reviews are worked on; what is absent has its default. */
  readonly reviews?: Partial<ReviewRules>;
  /** Silence after which a conversation ends by itself; null: never. A day by default. */
  readonly idleMs?: number | null;
  /** When a person takes over; what is absent has its default. */
  readonly escalation?: Partial<EscalationThresholds>;
}

/** Who asks, in which conversation: everything here comes from verified identity and our own rows. */
export interface ToolContext {
  readonly scope: CustomerScope;
  readonly assurance: Assurance;
  readonly tenant: TenantFacts;
  /** What the customer is answered in. */
  readonly language: Language;
  readonly conversationId: ConversationId;
  readonly runId: RunId;
  readonly signal: AbortSignal;
}

export interface ToolParts {
  readonly store: Store;
  readonly orders: Orders;
  readonly payments: Payments;
  readonly clock: Clock;
  /** The clauses that customers may read today. */
  readonly readPolicy: (context: ToolContext) => Promise<ReadablePolicy>;
  /** What the merchant's documents in force say to a customer's question. */
  readonly searchKnowledge: (context: ToolContext, question: KnowledgeQuestion) => Promise<KnowledgeAnswer>;
}

export interface ReadablePolicy {
  readonly id: string;
  readonly version: string;
  /** What its clauses are written in. */
  readonly language: Language;
  readonly clauses: readonly { readonly id: string; readonly title: string; readonly prose: string }[];
}

interface ToolBase<Args> {
  readonly name: string;
  /** For models: what it does and when to use it. */
  readonly description: string;
  readonly schema: z.ZodType<Args>;
  /** The weakest identity it accepts. */
  readonly assurance: Assurance;
}

/** Reads within the scope; harmless to repeat. */
export interface ReadTool<Args = unknown> extends ToolBase<Args> {
  readonly effect: "none";
  read(context: ToolContext, parts: ToolParts, args: Args): Promise<unknown>;
}

/** Proposes an effect: the gateway prepares, offers and records it; the tool file only has its shape. */
export interface EffectTool<Args = unknown> extends ToolBase<Args> {
  readonly effect: "refund" | "return";
}

/** Ends the run with a person. */
export interface HandoffTool<Args = unknown> extends ToolBase<Args> {
  readonly effect: "handoff";
}

// biome-ignore lint/suspicious/noExplicitAny: a list of tools with different arguments; each parses its own
export type Tool = ReadTool<any> | EffectTool<any> | HandoffTool<any>;
