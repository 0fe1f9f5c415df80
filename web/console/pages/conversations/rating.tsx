/** What the customer thought of a conversation that has ended, or a link to ask them with. */
import { useState } from "react";
import { type Conversation, ratingLink } from "../../api/conversations.ts";
import { Badge, Button } from "../../parts/base.tsx";
import { Once } from "../../parts/form.tsx";
import { notifyProblem } from "../../parts/toast.tsx";

export function Rating({ conversation, canAsk }: { conversation: Conversation; canAsk: boolean }) {
  const [link, setLink] = useState<string | null>(null);
  const { rating, status, conversation_id: id } = conversation;
  const isToAsk = status === "resolved" && canAsk && rating?.is_latest !== true;
  return (
    <>
      {rating !== null && (
        <span className="flex min-w-0 flex-wrap items-center gap-1">
          <Badge tone={rating.score >= 4 ? "good" : rating.score <= 2 ? "bad" : "plain"}>
            Rated {rating.score} of 5{rating.is_latest ? "" : " before"}
          </Badge>
          {rating.comment !== null && (
            <q dir="auto" className="wrap-anywhere text-xs text-dim">
              {rating.comment}
            </q>
          )}
        </span>
      )}
      {isToAsk && (
        <Button onClick={() => void ratingLink(id).then(({ url }) => setLink(url), notifyProblem)}>
          Rating link
        </Button>
      )}
      <Once title="Link for one rating, for this customer only" text={link} close={() => setLink(null)} />
    </>
  );
}
