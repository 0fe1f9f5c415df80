/**
 * Every limit in one place, with unit and reason. `docs/limits.md` shows this table (a test compares).
 * A limit that a deployment may want to change is also a configuration key.
 */
interface Limit<T extends number> {
  readonly value: T;
  readonly unit: string;
  readonly why: string;
}
const limit = <T extends number>(value: T, unit: string, why: string): Limit<T> => ({ value, unit, why });

export const LIMIT_TABLE = {
  messageChars: limit(8_000, "characters", "longer than any real question; bounds every scan of a message"),
  requestBytes: limit(65_536, "bytes", "a request body is buffered before it is parsed"),
  clientMessageIdChars: limit(128, "characters", "room for any ID scheme; it is part of an index"),
  openConversationsPerCustomer: limit(200, "conversations", "a script must not fill a tenant's inbox"),
  requestsPerCustomerBurst: limit(600, "requests", "a burst of retries of a weak link must pass"),
  requestsPerCustomerPerSecond: limit(20, "requests/s", "far above a person, far below a flood"),
  requestsPerTenantBurst: limit(20_000, "requests", "one tenant must not starve another"),
  requestsPerTenantPerSecond: limit(1_000, "requests/s", "above the sustained throughput of one process"),
  eventsPerPage: limit(500, "events", "one page of the log in one answer"),
  streamBufferEvents: limit(
    1_000,
    "events",
    "a reader that falls further behind is disconnected and resumes by seq",
  ),
  streamPingMs: limit(15_000, "ms", "below the idle timeout of common proxies (30 s and more)"),
  streamsPerCustomer: limit(20, "streams", "open tabs of one person, with room"),
  stepsPerRun: limit(8, "steps", "a message that needs more is not getting anywhere"),
  messagesPerRun: limit(10, "messages", "answers of one commit; the next run goes on, in order"),
  proposalChars: limit(262_144, "characters", "an answer with fifty order cards is a third of it"),
  stalledCallsPerRun: limit(3, "calls", "calls in a row without a new result; then a person"),
  chatDeadlineMs: limit(20_000, "ms", "a chat customer has left by then"),
  leaseMs: limit(15_000, "ms", "a worker that is silent for longer is taken for dead"),
  heartbeatMs: limit(5_000, "ms", "three chances before the lease ends"),
  sweepMs: limit(2_000, "ms", "how long something that nobody woke lies still at most"),
  tidyMs: limit(20_000, "ms", "pause between clean-ups of the embedded database, which has no autovacuum"),
  runAttempts: limit(5, "attempts", "a run that kills its worker this often goes to a person"),
  transcriptEntries: limit(200, "messages", "what an agent sees of a long conversation"),
  actionsInView: limit(50, "actions", "what an agent sees of a customer's history"),
  ordersPerList: limit(50, "orders", "what a list of orders answers with"),
  shopTimeoutMs: limit(5_000, "ms", "a shop that needs longer is down for a chat"),
  paymentTimeoutMs: limit(5_000, "ms", "then the outcome is uncertain and is looked up"),
  safeReadAttempts: limit(3, "attempts", "retries of reads, with backoff and jitter"),
  retryBaseMs: limit(100, "ms", "first backoff of a safe read"),
  stillCheckingAfterMs: limit(1_500, "ms", "a customer who waits longer for the provider is told so"),
  settleRetryBaseMs: limit(1_000, "ms", "first look-up after an uncertain outcome; doubles each time"),
  settleRetryMaxMs: limit(60_000, "ms", "longest pause between look-ups"),
  keyRetentionMarginMs: limit(
    3_600_000,
    "ms",
    "the same key is not sent again in the last hour of its retention",
  ),
  approvalTtlMs: limit(
    604_800_000,
    "ms",
    "an approval nobody decides in a week expires and the customer hears",
  ),
  policyBytes: limit(262_144, "bytes", "a policy document is parsed whole"),
  policyRules: limit(50, "rules", "of one policy; the median of evaluating 60 (measured) is above 1 ms"),
  policyRuleDepth: limit(
    32,
    "brackets",
    "nested deeper (measured: 300), a rule overflows the engine's stack",
  ),
  policyRuleOperators: limit(
    200,
    "operators",
    "in one rule; chains of 500 (measured) overflow that stack too",
  ),
  policyFaults: limit(100, "faults", "what a check of a document lists at most"),
  noteChars: limit(2_000, "characters", "an operator's reason or note"),
  webhookBytes: limit(262_144, "bytes", "the provider's largest events are a tenth of it"),
  shutdownGraceMs: limit(10_000, "ms", "live runs finish or hand back their lease by then"),
  tokenBytes: limit(8_192, "bytes", "a signed token is a few hundred bytes; longer ones are not parsed"),
  tokenLifetimeMs: limit(86_400_000, "ms", "a token that leaks is worth nothing after a day"),
  tokenClockToleranceMs: limit(30_000, "ms", "the clocks of shop and server differ a little"),
  tokenCacheMs: limit(60_000, "ms", "how long a verified signature is remembered; never past `exp`"),
  tokenCacheEntries: limit(10_000, "tokens", "bounds the memory of remembered signatures"),
  subjectChars: limit(128, "characters", "a customer ID of the shop; it is part of many indexes"),
  jsonDepth: limit(32, "levels", "no body of this API nests deeper than three"),
  rateLimitBuckets: limit(50_000, "buckets", "bounds the memory of request limits; the idlest goes first"),
  streamBufferBytes: limit(262_144, "bytes", "the log is not read further while a socket holds this much"),
  streamStallMs: limit(30_000, "ms", "a reader that takes nothing for this long is disconnected"),
  streamPollMs: limit(2_000, "ms", "a lost wake-up delays a stream by at most this"),
  streamIdlePollMs: limit(15_000, "ms", "an idle stream polls less and less often, down to this"),
  streamCloseMs: limit(5_000, "ms", "how long a client has to take the last words and close"),
  streamClientFrames: limit(
    20,
    "frames",
    "streams only deliver: a client that keeps talking is disconnected",
  ),
  streamClientFrameBytes: limit(4_096, "bytes", "nothing a client sends over a stream is used"),
  streamsPerProcess: limit(5_000, "streams", "bounds memory and polls of one process"),
  connectionsPerProcess: limit(10_000, "connections", "bounds sockets that wait and say nothing"),
  headersTimeoutMs: limit(10_000, "ms", "a request whose headers drip in is cut"),
  requestTimeoutMs: limit(30_000, "ms", "a request whose body drips in is cut"),
  keepAliveTimeoutMs: limit(65_000, "ms", "above the idle time of common load balancers (60 s)"),
  auditPerPage: limit(500, "entries", "one page of the audit log in one answer"),
  reviewsPerPage: limit(200, "reviews", "what a list of reviews answers with at most"),
  providerAnswerBytes: limit(8_388_608, "bytes", "the largest page of refunds is a twentieth of it"),
  shopAnswerBytes: limit(4_194_304, "bytes", "a list of orders with a hundred lines each is half of it"),
  providerRetryAfterMs: limit(3_600_000, "ms", "a provider's `Retry-After` is believed up to this"),
  refundPages: limit(50, "pages", "of 100 refunds of one charge; beyond that a person has to look"),
  webhookToleranceMs: limit(300_000, "ms", "how old a webhook's signature may be, as the provider advises"),
  documentBytes: limit(
    8_388_608,
    "bytes",
    "a document is parsed whole; a merchant's handbook is a tenth of it",
  ),
  documentChars: limit(
    1_000_000,
    "characters",
    "text of one document; a thousand pages of help are below it",
  ),
  documentPages: limit(500, "pages", "of a PDF; longer ones are books, not help"),
  documentReadMs: limit(20_000, "ms", "a document that takes longer is ended with its thread"),
  documentNesting: limit(200, "levels", "of lists, quotes and elements; deeper (a bomb) is refused"),
  chunkChars: limit(1_200, "characters", "one answer's worth; never cut inside a sentence or a table row"),
  chunksPerDocument: limit(4_000, "chunks", "bounds one transaction and the embedding that follows"),
  questionsPerChunk: limit(20, "questions", "ways in which customers ask for one answer"),
  knowledgeQueryChars: limit(600, "characters", "of a question that are read for retrieval"),
  knowledgeCandidates: limit(60, "keys", "of each kind of search, before they are fused"),
  knowledgeResults: limit(8, "passages", "what a search answers with"),
  embeddingBatch: limit(16, "texts", "embedded at once: a query waits for one batch at most"),
  embeddingIdleMs: limit(300_000, "ms", "then the thread with the model ends and gives its memory back"),
  embeddingTimeoutMs: limit(
    10_000,
    "ms",
    "a query without its embedding by then is answered from text search",
  ),
  lexiconSample: limit(2_000, "keys", "of a tenant, from which the weight of words is estimated"),
} as const;

type Table = typeof LIMIT_TABLE;
/** The values alone: `LIMITS.messageChars`. */
export const LIMITS = Object.fromEntries(
  Object.entries(LIMIT_TABLE).map(([name, entry]) => [name, entry.value]),
) as { readonly [K in keyof Table]: number };
