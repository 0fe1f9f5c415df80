/**
 * What the console takes the server's answers for is what the server says that they are: checked by the compiler against the
 * shapes that the OpenAPI document is made of. The console has types of its own, for it reaches the server by its API only.
 */
import { expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type { order } from "../../src/channels/http/desk/order-routes.ts";
import type * as desk from "../../src/channels/http/desk/shapes.ts";
import type { added, answer, document } from "../../src/channels/http/knowledge-routes.ts";
import type { received, sent } from "../../src/channels/http/mail-routes.ts";
import type * as people from "../../src/channels/http/people/shapes.ts";
import type * as reviews from "../../src/channels/http/review-schemas.ts";
import type * as shapes from "../../src/channels/http/schemas.ts";
import type * as conversations from "../../web/console/api/conversations.ts";
import type * as knowledge from "../../web/console/api/knowledge.ts";
import type * as mails from "../../web/console/api/mails.ts";
import type * as policies from "../../web/console/api/policies.ts";
import type * as records from "../../web/console/api/records.ts";
import type * as review from "../../web/console/api/reviews.ts";
import type * as team from "../../web/console/api/team.ts";

type Said<Shape extends z.ZodType> = z.output<Shape>;

test("of reviews: the queue, its counts, one review, the order that it is about", () => {
  expectTypeOf<Said<typeof reviews.reviewItem>>().toExtend<review.ReviewItem>();
  expectTypeOf<Said<typeof reviews.review>>().toExtend<review.Review>();
  expectTypeOf<Said<typeof reviews.reviewCounts>>().toExtend<review.QueueCounts>();
  expectTypeOf<Said<typeof order>>().toExtend<review.ReviewedOrder>();
});

test("of conversations: the list, one with what is beside it, its events, runs and canned replies", () => {
  expectTypeOf<Said<typeof desk.conversationPage>>().toExtend<{
    conversations: readonly conversations.ConversationItem[];
    next_cursor: string | null;
  }>();
  expectTypeOf<Said<typeof desk.conversationInside>>().toExtend<conversations.Conversation>();
  expectTypeOf<Said<typeof desk.insideEvents>["events"][number]>().toExtend<conversations.InsideEvent>();
  expectTypeOf<Said<typeof desk.insideRuns>["runs"][number]>().toExtend<conversations.Run>();
  expectTypeOf<Said<typeof desk.reply>>().toExtend<conversations.CannedReply>();
});

test("of policies: the versions, a text, a difference, a check, a preview", () => {
  expectTypeOf<Said<typeof people.policyList>>().toExtend<{
    policies: readonly policies.PolicyHead[];
    next_free_day: string;
  }>();
  expectTypeOf<Said<typeof people.policyText>>().toExtend<policies.PolicyText>();
  expectTypeOf<Said<typeof people.policyDifference>>().toExtend<policies.PolicyDifference>();
  expectTypeOf<Said<typeof people.policyCheck>>().toExtend<policies.PolicyCheck>();
  expectTypeOf<Said<typeof people.policyPreview>>().toExtend<policies.PolicyPreview>();
});

test("of the team and its settings", () => {
  expectTypeOf<Said<typeof people.settingsArea>>().toExtend<team.Area>();
  expectTypeOf<Said<typeof people.member>>().toExtend<team.Member>();
  expectTypeOf<Said<typeof people.invitation>>().toExtend<team.Invitation>();
  expectTypeOf<Said<typeof people.apiKey>>().toExtend<team.ApiKey>();
});

test("of the ledger, the audit log, mail and knowledge", () => {
  expectTypeOf<Said<typeof shapes.ledgerPage>["actions"][number]>().toExtend<records.ActionItem>();
  expectTypeOf<Said<typeof shapes.auditPage>["entries"][number]>().toExtend<records.AuditEntry>();
  expectTypeOf<Said<typeof received>>().toExtend<mails.UnansweredMail>();
  expectTypeOf<Said<typeof sent>>().toExtend<mails.UnsentMail>();
  expectTypeOf<Said<typeof document>>().toExtend<knowledge.DocumentItem>();
  expectTypeOf<Said<typeof added>>().toExtend<knowledge.Added>();
  expectTypeOf<Said<typeof answer>>().toExtend<knowledge.Answer>();
});
