/**
 * What a record says: which run of which conversation has a message to answer. IDs only, no word of anybody; the
 * database says what is to be done, so a record that is forged, old or doubled can make nothing happen that was not
 * waiting already. Pure.
 *
 * A change that older workers would misread is a new version. A worker that does not know a version yet puts
 * the record aside as a dead letter, to be replayed once all are upgraded; its run is found by the sweep meanwhile.
 */
import { z } from "zod";
import type { ConversationId, RunId, TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { OutboxMessage } from "../../store/outbox.ts";

export const RECORD_VERSION = 1;

const id = z.string().min(1).max(128);
const VERSION_1 = z.strictObject({
  version: z.literal(RECORD_VERSION),
  tenant_id: id,
  channel: z.enum(["chat", "email"]),
  conversation_id: id,
  seq: z.int().min(1),
  run_id: id,
  accepted_at_ms: z.int().min(0),
});

export type Reading =
  | { readonly is: "message"; readonly message: OutboxMessage }
  | { readonly is: "unreadable" | "unknown_version"; readonly detail: string };

/** The record's key: all of a conversation goes to one partition, in order. */
export const keyOf = ({ tenantId, conversationId }: OutboxMessage): string => `${tenantId}/${conversationId}`;

export const writeRecord = (message: OutboxMessage): string =>
  JSON.stringify({
    version: RECORD_VERSION,
    tenant_id: message.tenantId,
    channel: message.channel,
    conversation_id: message.conversationId,
    seq: message.seq,
    run_id: message.runId,
    accepted_at_ms: message.atMs,
  } satisfies z.output<typeof VERSION_1>);

/** Never throws; `detail` names what is wrong and shows nothing of what the record held. */
export function readRecord(value: Uint8Array): Reading {
  if (value.length > LIMITS.kafkaRecordBytes)
    return { is: "unreadable", detail: `it has ${value.length} bytes` };
  let said: unknown;
  try {
    said = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(value));
  } catch {
    return { is: "unreadable", detail: "it is not JSON" };
  }
  const version = z.object({ version: z.int() }).safeParse(said);
  if (!version.success) return { is: "unreadable", detail: "it has no version" };
  if (version.data.version !== RECORD_VERSION)
    return { is: "unknown_version", detail: `version ${version.data.version}; known is ${RECORD_VERSION}` };
  const read = VERSION_1.safeParse(said);
  if (!read.success) {
    const wrong = read.error.issues.map(({ code, path }) => `${path.join(".")}: ${code}`);
    return { is: "unreadable", detail: wrong.join(", ").slice(0, 300) };
  }
  const { data } = read;
  return {
    is: "message",
    message: {
      tenantId: data.tenant_id as TenantId,
      channel: data.channel,
      conversationId: data.conversation_id as ConversationId,
      seq: data.seq,
      runId: data.run_id as RunId,
      atMs: data.accepted_at_ms,
    },
  };
}
