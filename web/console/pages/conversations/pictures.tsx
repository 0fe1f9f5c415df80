/** Pictures that a customer sent: as the server keeps them, without metadata, shown and never run. */
import { currentTenant } from "../../api/client.ts";

const ID = /^att_[0-9a-f-]{36}$/;
const sizeOf = (value: unknown): number | undefined =>
  typeof value === "number" && value > 0 ? value : undefined;

export function Pictures({ conversationId, attachments }: { conversationId: string; attachments: unknown }) {
  if (!Array.isArray(attachments)) return null;
  const tenant = currentTenant();
  return (
    <div className="flex flex-wrap gap-2 pt-1">
      {attachments.map((attachment: Record<string, unknown>, index) => {
        const id = String(attachment.attachment_id);
        if (!ID.test(id)) return null;
        const url = `/v1/operator/conversations/${conversationId}/attachments/${id}${
          tenant === null ? "" : `?tenant=${encodeURIComponent(tenant)}`
        }`;
        return (
          <a key={id} href={url} download className="rounded-lg">
            <img
              src={url}
              loading="lazy"
              alt={`Sent by the customer, ${index + 1} of ${attachments.length}. Opens as a download`}
              width={sizeOf(attachment.width)}
              height={sizeOf(attachment.height)}
              className="h-auto max-h-64 w-auto max-w-full rounded-lg border border-line"
            />
          </a>
        );
      })}
    </div>
  );
}
