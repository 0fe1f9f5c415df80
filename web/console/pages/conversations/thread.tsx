/** One conversation, live: what was said, whose it is, and where the team answers. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import {
  assign,
  type Conversation,
  changeTags,
  eventsOf,
  giveBack,
  type InsideEvent,
  oneConversation,
  takeOver,
} from "../../api/conversations.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Badge, Button, cannotShow, Failure, Skeleton } from "../../parts/base.tsx";
import { notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";
import { Composer } from "./composer.tsx";
import { Rating } from "./rating.tsx";
import { STATUS, Timeline } from "./timeline.tsx";
import { Trace } from "./trace.tsx";

export function Thread({ id, back }: { id: string; back?: () => void }) {
  const { me, may } = useSession();
  const queries = useQueryClient();
  const [isTrace, setTrace] = useState(false);
  const key = ["conversation", id, me.tenant];
  const view = useQuery({ queryKey: [...key, "view"], queryFn: ({ signal }) => oneConversation(id, signal) });
  const log = useQuery({
    queryKey: [...key, "events"],
    queryFn: ({ signal, queryKey }) =>
      eventsOf(id, queries.getQueryData<readonly InsideEvent[]>(queryKey) ?? [], signal),
  });
  const canReply = may("conversations.reply");
  const conversation = view.data;
  const isOurs = conversation?.status === "with_person";
  const inHand = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const act = (work: () => Promise<unknown>, done: () => void = () => {}) => {
    if (inHand.current) return;
    inHand.current = true;
    setBusy(true);
    work()
      .then(done, notifyProblem)
      .finally(() => {
        inHand.current = false;
        setBusy(false);
        for (const queryKey of [["conversation", id], ["conversations"], ["reviews"]]) {
          void queries.invalidateQueries({ queryKey });
        }
      });
  };
  const hand = () => act(() => (isOurs ? giveBack(id) : takeOver(id)));
  const isMine = conversation?.assignee === me.operator;
  const mine = () => act(() => assign(id, isMine ? null : "me"));
  useCommands(
    [
      {
        id: "talk.hand",
        label: isOurs ? "Give back to the assistant" : "Take over",
        keys: "t",
        group: "Conversation",
        isOff: !canReply || conversation === undefined,
        run: hand,
      },
      {
        id: "talk.assign",
        label: isMine ? "Not mine any more" : "Assign to me",
        keys: "i",
        group: "Conversation",
        isOff: !canReply || conversation === undefined,
        run: mine,
      },
      {
        id: "talk.trace",
        label: isTrace ? "Show the messages" : "Show what the assistant did",
        keys: "w",
        group: "Conversation",
        run: () => setTrace(!isTrace),
      },
    ],
    [isOurs, isMine, canReply, conversation, isTrace, id],
  );
  if (cannotShow(view)) {
    return <Failure error={view.error} retry={() => void view.refetch()} />;
  }
  if (conversation === undefined) return <Skeleton />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-col gap-2 border-b border-line bg-surface px-3 py-2 text-sm">
        <div className="flex flex-wrap items-center gap-2">
          {back !== undefined && (
            <Button look="bare" className="lg:hidden" onClick={back}>
              ← List
            </Button>
          )}
          <strong className="min-w-0 truncate">{conversation.customer_id}</strong>
          <Badge tone={isOurs ? "accent" : "plain"}>{STATUS[conversation.status]}</Badge>
          <span className="text-xs text-dim">
            {conversation.assignee === null ? "Nobody's" : isMine ? "Yours" : conversation.assignee}
          </span>
          <Rating conversation={conversation} canAsk={canReply} />
          <span className="ml-auto flex flex-wrap gap-1">
            <Button keys="w" aria-pressed={isTrace} onClick={() => setTrace(!isTrace)}>
              {isTrace ? "Messages" : "What it did"}
            </Button>
            {canReply && (
              <>
                <Button keys="i" isBusy={isBusy} onClick={mine}>
                  {isMine ? "Not mine" : "Mine"}
                </Button>
                <Button keys="t" isBusy={isBusy} onClick={hand}>
                  {isOurs ? "Give back" : "Take over"}
                </Button>
              </>
            )}
          </span>
        </div>
        <Tags
          conversation={conversation}
          canEdit={canReply}
          change={(what, done) => act(() => changeTags(id, what), done)}
        />
      </header>
      {isTrace ? (
        <Trace id={id} />
      ) : log.data !== undefined ? (
        <Timeline conversationId={id} events={log.data} notes={conversation.notes} />
      ) : (
        <div className="min-h-0 flex-1">
          {cannotShow(log) ? <Failure error={log.error} retry={() => void log.refetch()} /> : <Skeleton />}
        </div>
      )}
      {canReply && <Composer conversation={conversation} />}
    </div>
  );
}

interface TagsProps {
  readonly conversation: Conversation;
  readonly canEdit: boolean;
  change(what: { add?: string[]; remove?: string[] }, done?: () => void): void;
}

function Tags({ conversation, canEdit, change }: TagsProps) {
  const [text, setText] = useState("");
  return (
    <div className="flex flex-wrap items-center gap-1">
      {conversation.tags.map((tag) => (
        <Badge key={tag}>
          {tag}
          {canEdit && (
            <button
              type="button"
              className="pl-1"
              aria-label={`Remove the tag ${tag}`}
              onClick={() => change({ remove: [tag] })}
            >
              ×
            </button>
          )}
        </Badge>
      ))}
      {canEdit && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            // What is refused stays, to be put right.
            if (text.trim() !== "") change({ add: [text.trim()] }, () => setText(""));
          }}
        >
          <input
            value={text}
            maxLength={40}
            aria-label="Add a tag"
            placeholder="+ tag"
            className="w-24 rounded border border-line bg-ground px-2 py-0.5 text-xs"
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        </form>
      )}
    </div>
  );
}
