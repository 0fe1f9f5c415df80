/** What the customer reads, with the team's notes set apart. Everybody's words are text and nothing else. */
import { useEffect, useRef } from "react";
import type { InsideEvent, Note } from "../../api/conversations.ts";
import { Badge, Empty } from "../../parts/base.tsx";
import { LongText } from "../../parts/long-text.tsx";
import { Time } from "../../parts/time.tsx";
import { money } from "../../words.ts";
import { Pictures } from "./pictures.tsx";

const WHO: Readonly<Record<string, string>> = {
  customer: "Customer",
  agent: "Assistant",
  operator: "Team",
  system: "System",
};
export const STATUS: Readonly<Record<string, string>> = {
  open: "Open",
  with_agent: "With the assistant",
  with_person: "With a person",
  resolved: "Resolved",
};
const said = (value: unknown): string => (typeof value === "string" ? value : "");
const saidOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);

export function Timeline({
  conversationId,
  events,
  notes,
}: {
  conversationId: string;
  events: readonly InsideEvent[];
  notes: readonly Note[];
}) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const count = events.length + notes.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: something new was said
  useEffect(() => {
    if (isAtEnd.current && box.current !== null) box.current.scrollTop = box.current.scrollHeight;
  }, [count]);
  const rows = [
    ...events.filter(({ type }) => type !== "run").map((event) => ({ at: event.at, event, note: null })),
    ...notes.map((note) => ({ at: note.at, event: null, note })),
  ].sort((a, b) => a.at.localeCompare(b.at));
  if (rows.length === 0) return <Empty title="Nothing was said here yet" />;
  return (
    <div
      ref={box}
      role="log"
      aria-label="Messages"
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls is scrolled by keys too
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 60;
      }}
    >
      {rows.map(({ event, note }) =>
        note !== null ? (
          <NoteRow key={note.note_id} note={note} />
        ) : (
          event !== null && <EventRow key={event.seq} event={event} conversationId={conversationId} />
        ),
      )}
    </div>
  );
}

function NoteRow({ note }: { note: Note }) {
  return (
    <div className="rounded-lg border border-dashed border-warn/60 bg-warn/10 px-3 py-2 text-sm">
      <p className="flex flex-wrap gap-2 text-xs text-warn">
        <strong>Internal note</strong>
        <span>{note.author}</span>
        <Time at={note.at} />
      </p>
      <LongText text={note.text} />
    </div>
  );
}

function EventRow({ event, conversationId }: { event: InsideEvent; conversationId: string }) {
  const { payload, at, author } = event;
  if (event.type === "message") {
    const isCustomer = author === "customer";
    return (
      <div className={`max-w-[85%] ${isCustomer ? "self-start" : "self-end"}`}>
        <p className="mb-0.5 flex gap-2 px-1 text-xs text-dim">
          <span>{WHO[author ?? ""] ?? author}</span>
          <Time at={at} />
        </p>
        <LongText
          text={said(payload.text)}
          className={`rounded-2xl px-3 py-2 text-sm ${isCustomer ? "bg-raised" : "bg-accent/12"}`}
        />
        <Pictures conversationId={conversationId} attachments={payload.attachments} />
      </div>
    );
  }
  if (event.type === "action") {
    return (
      <div className="self-end rounded-xl border border-line bg-surface px-3 py-2 text-sm">
        <p className="flex flex-wrap items-center gap-2">
          <strong className="capitalize">{said(payload.kind)}</strong>
          <span>{money(saidOrNull(payload.amount), saidOrNull(payload.currency))}</span>
          {payload.order_number !== undefined && <span>#{said(payload.order_number)}</span>}
          <Badge>{said(payload.state).replaceAll("_", " ")}</Badge>
          <span className="text-xs text-dim">
            <Time at={at} />
          </span>
        </p>
        <p className="text-dim">{said(payload.text)}</p>
      </div>
    );
  }
  if (event.type !== "status") return null;
  const status = said(payload.status);
  return (
    <p className="text-center text-xs text-dim">
      {STATUS[status] ?? status} · <Time at={at} />
    </p>
  );
}
