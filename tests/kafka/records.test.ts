import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createProgress } from "../../src/channels/kafka/progress.ts";
import { keyOf, readRecord, writeRecord } from "../../src/channels/kafka/records.ts";
import type { ConversationId, RunId } from "../../src/kernel/ids.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import type { OutboxMessage } from "../../src/store/outbox.ts";
import { NORTHWIND } from "../kit/database.ts";

const MESSAGE: OutboxMessage = {
  tenantId: NORTHWIND,
  channel: "chat",
  conversationId: "cnv_1" as ConversationId,
  seq: 4,
  runId: "run_1" as RunId,
  atMs: 1_800_000_000_000,
};
const bytes = (value: unknown): Uint8Array =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
const written = (): Record<string, unknown> => JSON.parse(writeRecord(MESSAGE));

describe("a record", () => {
  test("says which run has a message to answer, by IDs, and nothing else", () => {
    expect(written()).toEqual({
      version: 1,
      tenant_id: "northwind",
      channel: "chat",
      conversation_id: "cnv_1",
      seq: 4,
      run_id: "run_1",
      accepted_at_ms: 1_800_000_000_000,
    });
    expect(readRecord(bytes(writeRecord(MESSAGE)))).toEqual({ is: "message", message: MESSAGE });
    expect(keyOf(MESSAGE)).toBe("northwind/cnv_1");
  });

  test.each([
    ["no JSON", "hello", "unreadable"],
    ["nothing", "", "unreadable"],
    ["bytes that are no text", new Uint8Array([0xff, 0xfe, 0x00]), "unreadable"],
    ["JSON that is no object", [1], "unreadable"],
    ["no version", { ...written(), version: undefined }, "unreadable"],
    ["a version that comes later", { ...written(), version: 2, more: true }, "unknown_version"],
    ["a member too many", { ...written(), text: "refund me" }, "unreadable"],
    ["a member of another type", { ...written(), seq: "4" }, "unreadable"],
    ["an empty ID", { ...written(), run_id: "" }, "unreadable"],
    ["too long", `"${"x".repeat(LIMITS.kafkaRecordBytes)}"`, "unreadable"],
  ])("with %s is put aside, and why says nothing of what it held", (_, value, is) => {
    const reading = readRecord(value instanceof Uint8Array ? value : bytes(value));
    expect(reading).toMatchObject({ is });
    expect(JSON.stringify(reading)).not.toContain("refund me");
  });

  test("of any bytes is read without an error", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (value) => {
        expect(readRecord(value).is).not.toBe("message");
      }),
    );
  });
});

describe("progress of a partition", () => {
  test("what is committed never passes a record that is unfinished, whatever order they finish in", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 15 }),
        fc.infiniteStream(fc.nat()),
        (offsets, chance) => {
          const taken = offsets.toSorted((a, b) => a - b).map(BigInt);
          const progress = createProgress();
          for (const offset of taken) expect(progress.take(offset)).toBe(true);
          const open = [...taken];
          while (open.length > 0) {
            const [offset] = open.splice((chance.next().value as number) % open.length, 1);
            progress.finish(offset as bigint);
            const next = progress.toCommit();
            if (next !== null) {
              expect(open.every((each) => each >= next)).toBe(true);
              progress.committed(next);
            }
          }
          // All are finished, and the last commit said so.
          expect(progress.toCommit()).toBeNull();
        },
      ),
    );
  });

  test("a record that comes again after a rebalance is not taken twice", () => {
    const progress = createProgress();
    expect([7n, 8n, 7n, 8n, 9n].map((offset) => progress.take(offset))).toEqual([
      true,
      true,
      false,
      false,
      true,
    ]);
    expect(progress.toCommit()).toBeNull();
    progress.finish(8n);
    expect(progress.toCommit()).toBeNull();
    progress.finish(7n);
    expect(progress.toCommit()).toBe(9n);
  });
});
