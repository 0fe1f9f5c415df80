/** One entry of the audit log: a line, and what it says with its place in the chain once it is opened. */
import { Link } from "@tanstack/react-router";
import type { AuditEntry } from "../../api/records.ts";
import { Badge } from "../../parts/base.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Instant } from "../../parts/time.tsx";
import { useSession } from "../../session.tsx";
import { whoText } from "../../words.ts";

interface EntryProps {
  readonly entry: AuditEntry;
  readonly isOpen: boolean;
  open(n: number | null): void;
}

export function Entry({ entry, isOpen, open }: EntryProps) {
  const { n, kind, subject, body, hash, prev_hash: before } = entry;
  const by = typeof body.by === "string" ? body.by : null;
  return (
    <li id={`entry-${n}`} className="border-b border-line last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => open(isOpen ? null : n)}
        className={`grid w-full grid-cols-[3rem_minmax(0,1fr)] items-baseline gap-x-2 gap-y-0.5 px-3 py-2 text-left text-sm md:grid-cols-[3rem_auto_minmax(0,1fr)_auto_auto] ${isOpen ? "bg-accent/12" : "hover:bg-raised"}`}
      >
        <span className="text-xs text-dim tabular-nums">{n}</span>
        <span>
          <Badge>{kind}</Badge>
        </span>
        <span dir="auto" className="col-start-2 truncate font-mono text-xs md:col-start-auto">
          {subject}
        </span>
        <span className="col-start-2 truncate text-xs text-dim md:col-start-auto">
          {by !== null && whoText(by)}
        </span>
        <span className="col-start-2 text-xs text-dim md:col-start-auto">
          <Instant at={new Date(entry.at_ms).toISOString()} />
        </span>
      </button>
      {isOpen && (
        <div className="border-t border-line bg-ground px-3 py-2">
          <p className="mb-2 flex flex-wrap gap-x-4 text-sm">
            <About subject={subject} />
            <Link
              className="text-accent underline"
              to="/audit"
              search={{ subject, entry: String(n) } as never}
            >
              All about this
            </Link>
            {by !== null && (
              <Link className="text-accent underline" to="/audit" search={{ by, entry: String(n) } as never}>
                All by {whoText(by)}
              </Link>
            )}
          </p>
          <Facts value={withTexts(entry)} />
          <dl className="mt-2 text-xs text-dim">
            <dt>Hash of this entry</dt>
            <dd className="font-mono break-all">{hash}</dd>
            <dt className="mt-1">Hash of the one before</dt>
            <dd className="font-mono break-all">{before}</dd>
          </dl>
        </div>
      )}
    </li>
  );
}

/** What was written in words, in the place of its hash; erased words are said to be so. */
function withTexts({ body, texts = {} }: AuditEntry): Readonly<Record<string, unknown>> {
  const { texts: hashes, ...facts } = body as { readonly texts?: Readonly<Record<string, string>> };
  const written = Object.keys(hashes ?? {}).map((name) => [name, texts[name]?.text ?? "(erased)"]);
  return { ...facts, ...Object.fromEntries(written) };
}

/** Where the subject has a page of its own. */
function About({ subject }: { subject: string }) {
  const { may } = useSession();
  if (subject.startsWith("act_") && may("actions.read")) {
    return (
      <Link className="text-accent underline" to="/actions" search={{ action: subject } as never}>
        Show the action
      </Link>
    );
  }
  if (subject.startsWith("rev_") && may("reviews.read")) {
    return (
      <Link className="text-accent underline" to="/queue" search={{ review: subject } as never}>
        Show the review
      </Link>
    );
  }
  return null;
}
