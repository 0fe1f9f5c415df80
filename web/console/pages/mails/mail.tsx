/** One mail in the list: who it claims to be from, why it got no answer, its text, and what can be done. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { UnansweredMail, UnsentMail } from "../../api/mails.ts";
import { Badge } from "../../parts/base.tsx";
import { Time } from "../../parts/time.tsx";
import { RECEIVED, UNSENT } from "./verdicts.ts";

export function ReceivedMail({
  mail,
  isOpen,
  open,
  handle,
}: {
  mail: UnansweredMail;
  isOpen: boolean;
  open: (id: string | null) => void;
  handle: ReactNode;
}) {
  const { mail_id: id, conversation_id: conversation } = mail;
  const { label, tone, todo } = RECEIVED[mail.verdict];
  return (
    <li id={`row-${id}`} className="border-b border-line last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => open(isOpen ? null : id)}
        className={`grid w-full grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-2 gap-y-0.5 px-3 py-2 text-left text-sm md:grid-cols-[10rem_minmax(0,14rem)_minmax(0,1fr)_auto] ${isOpen ? "bg-accent/12" : "hover:bg-raised"}`}
      >
        <span className="col-start-1">
          <Badge tone={tone}>{label}</Badge>
        </span>
        <span dir="auto" className="col-start-1 truncate md:col-start-auto">
          {mail.address === "" ? "(nobody in From)" : mail.address}
        </span>
        <span dir="auto" className="col-start-1 truncate text-dim md:col-start-auto">
          {mail.subject === "" ? "(no subject)" : mail.subject}
        </span>
        <span className="text-xs text-dim max-md:col-start-2 max-md:row-start-1">
          <Time at={mail.at} />
        </span>
      </button>
      {isOpen && (
        <div className="flex flex-col gap-2 border-t border-line bg-ground px-3 py-2 text-sm">
          <p>
            {todo} <span className="text-dim">({mail.why})</span>
          </p>
          {mail.text !== "" && (
            <p
              dir="auto"
              className="max-h-60 overflow-y-auto rounded-lg border border-line p-2 whitespace-pre-wrap"
            >
              {mail.text}
            </p>
          )}
          <p className="flex flex-wrap items-center gap-3">
            {handle}
            {mail.handled_by !== null && mail.handled_at !== null && (
              <span className="text-dim">
                Dealt with by {mail.handled_by}, <Time at={mail.handled_at} />
              </span>
            )}
            {conversation !== null && (
              <Link className="text-accent underline" to="/conversations" search={{ conversation } as never}>
                Its conversation
              </Link>
            )}
          </p>
        </div>
      )}
    </li>
  );
}

export function Unsent({ mail }: { mail: UnsentMail }) {
  const { label, tone, todo } = UNSENT[mail.state];
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-sm">
      <Badge tone={tone}>{label}</Badge>
      <Link
        className="text-accent underline"
        to="/conversations"
        search={{ conversation: mail.conversation_id } as never}
      >
        {mail.address}
      </Link>
      <span className="text-xs text-dim">
        <Time at={mail.at} />
      </span>
      <span className="basis-full text-dim">
        {todo} {mail.error}
      </span>
    </li>
  );
}
