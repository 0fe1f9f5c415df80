/** What became of a mail that was not answered in time, for whoever looks into it: the conversation from there on. */
import type { Store } from "../../src/store/store.ts";
import { rowsOf, TENANTS } from "./checks.ts";

const AFTER = `
  select c.id, c.status, later.author, later.at_ms - e.at_ms as after_ms, left(later.payload->>'text', 80) as said
    from mail_received r
    join events e on e.tenant_id = r.tenant_id and e.client_message_id = r.id
    join conversations c on c.tenant_id = e.tenant_id and c.id = e.conversation_id
    left join events later on later.tenant_id = c.tenant_id and later.conversation_id = c.id
     and later.seq > e.seq and later.type = 'message'
   where r.message_id = `;

/** `messageId`: of the crowd's own making, so that it may stand in a statement. */
export async function fateOf(store: Store, messageId: string): Promise<string> {
  if (!/^<[a-z0-9-]+@crowd\.example>$/.test(messageId)) return messageId;
  for (const tenant of TENANTS) {
    const rows = await rowsOf(store, tenant, `${AFTER}'${messageId}' order by later.seq`);
    const [first] = rows;
    if (first === undefined) continue;
    const said = rows
      .filter(({ author }) => author !== null)
      .map(({ author, after_ms, said }) => `${author} after ${after_ms} ms: ${said}`);
    return `${messageId} of ${first.id} (${first.status}): ${said.join(" | ") || "nothing was said after it"}`;
  }
  return `${messageId}: not in the log`;
}
