/** Canned replies under the caret: `;` or `/` and a part of the name. */
import type { CannedReply } from "../../api/conversations.ts";

/** What is typed after `;` or `/` at the end of the text; null when nothing is. Pure. */
export const wantedReply = (text: string): string | null =>
  /(?:^|\s)[;/]([\p{L}\p{N}-]*)$/u.exec(text)?.[1]?.toLowerCase() ?? null;

/** The text with the part that asked for the reply replaced by it. Pure. */
export const withReply = (text: string, reply: string): string =>
  text.replace(/[;/][\p{L}\p{N}-]*$/u, "") + reply;

export const fitting = (replies: readonly CannedReply[], wanted: string): readonly CannedReply[] =>
  replies
    .filter(({ shortcut, title }) => shortcut.includes(wanted) || title.toLowerCase().includes(wanted))
    .slice(0, 8);

interface CannedListProps {
  readonly found: readonly CannedReply[];
  readonly at: number;
  pick(reply: CannedReply): void;
}

export function CannedList({ found, at, pick }: CannedListProps) {
  return (
    <div
      role="listbox"
      aria-label="Canned replies"
      className="max-h-56 overflow-y-auto rounded-lg border border-line bg-surface p-1 text-sm shadow-lg"
    >
      {found.length === 0 && (
        <p className="p-2 text-dim">No canned reply is called that. Leads add them; Esc closes this.</p>
      )}
      {found.map((reply, index) => (
        <button
          key={reply.reply_id}
          type="button"
          role="option"
          aria-selected={index === at}
          className={`block w-full rounded px-2 py-1.5 text-left ${index === at ? "bg-raised" : "hover:bg-raised"}`}
          onClick={() => pick(reply)}
        >
          <span className="font-medium">{reply.title}</span>{" "}
          <span className="font-mono text-xs text-dim">;{reply.shortcut}</span>
          <span className="block truncate text-xs text-dim">{reply.text}</span>
        </button>
      ))}
    </div>
  );
}
