/** Guard rails that `npm run mutants` switches off one at a time, each with the test that has to notice. */

export interface Mutant {
  readonly guard: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  readonly test: string;
  /** Must be among the tests that fail. */
  readonly named: string;
}

export const MUTANTS: readonly Mutant[] = [
  {
    guard: "G1 barrier 1: a stable action ID",
    file: "src/gateway/gateway.ts",
    find: "String(context.offer.seq),",
    replace: "context.runId,",
    test: "tests/actions/once.test.ts",
    named: "barrier 1",
  },
  {
    guard: "G1 barrier 2: one live allocation a unit",
    file: "src/store/migrations/0001_spine.sql",
    find: "create unique index allocations_one_live",
    replace: "create index allocations_one_live",
    test: "tests/actions/once.test.ts",
    named: "barrier 2",
  },
  {
    guard: "G1 barrier 2: a balance not below zero",
    file: "src/store/migrations/0001_spine.sql",
    find: "captured_minor - held_minor - refunded_minor - external_minor >= 0)",
    replace: "captured_minor >= 0)",
    test: "tests/actions/once.test.ts",
    named: "barrier 2",
  },
  {
    guard: "G1 barrier 3: one key an action",
    file: "src/actions/carrying-out.ts",
    find: "idempotencyKey: action.idempotency_key,\n        actionId",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    replace: "idempotencyKey: `${action.idempotency_key}:${action.attempts}`,\n        actionId",
    test: "tests/actions/once.test.ts",
    named: "barrier 3",
  },
  {
    guard: "G2 a claim needs a confirmed outcome",
    file: "src/wording/en/ledger.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    find: "Your ${refund(it)} is still being checked: the payment provider has not",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is source text
    replace: "The payment provider has confirmed your ${refund(it)}: the payment provider has not",
    test: "tests/actions/once.test.ts",
    named: "timeout_after_accept",
  },
  {
    guard: "G3 row-level security",
    file: "src/store/migrations/0001_spine.sql",
    find: "or row_customer = current_setting('recourse.customer', true)) $$",
    replace: "or true) $$",
    test: "tests/store/tenancy.test.ts",
    named: "a customer sees only their own rows",
  },
  {
    guard: "G3 what comes along with a wake-up is for its owner",
    file: "src/conversations/hub.ts",
    find: "wake(customerId === owner ? events : undefined);",
    replace: "wake(events);",
    test: "tests/http/visitors.test.ts",
    named: "for the owner of that moment",
  },
  {
    guard: "G8 the same message is stored once",
    file: "src/conversations/conversations.ts",
    find: "if (prior !== undefined) {",
    replace: "if (prior !== undefined && prior.seq < 0) {",
    test: "tests/actions/once.test.ts",
    named: "the same message sent 200 times",
  },
  {
    guard: "no offset is committed past a record that is unfinished",
    file: "src/channels/kafka/progress.ts",
    find: "const next = oldest ?? highest + 1n;",
    replace: "const next = oldest === null ? 0n : highest + 1n;",
    test: "tests/kafka/reading.test.ts",
    named: "commits an offset only after the work",
  },
];
