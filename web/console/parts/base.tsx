/** Small parts that every page uses: buttons, badges, empty and waiting states, errors that say what to do. */
import type { ButtonHTMLAttributes, ReactNode } from "react";
import { isRefusal, Problem } from "../api/client.ts";
import { shownKeys } from "../keys/registry.ts";

const LOOKS = {
  plain: "border-line bg-surface hover:bg-raised",
  primary: "border-transparent bg-accent text-on-accent hover:brightness-110",
  danger: "border-bad/40 bg-surface text-bad hover:bg-bad/10",
  bare: "border-transparent hover:bg-raised",
} as const;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: keyof typeof LOOKS;
  readonly keys?: string;
  readonly isBusy?: boolean;
}

export function Button({
  look = "plain",
  keys,
  isBusy = false,
  children,
  className = "",
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      aria-busy={isBusy}
      aria-keyshortcuts={keys?.replaceAll("mod", "Control")}
      {...rest}
      disabled={rest.disabled || isBusy}
      className={`inline-flex min-h-9 items-center gap-2 rounded-lg border px-3 py-1.5 text-sm font-medium disabled:opacity-50 ${LOOKS[look]} ${className}`}
    >
      {children}
      {keys !== undefined && <Keys keys={keys} />}
    </button>
  );
}

export function Keys({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-0.5 pointer-coarse:hidden" aria-hidden="true">
      {shownKeys(keys).map((key) => (
        <kbd key={key} className="rounded border border-current/30 px-1 font-mono text-[11px] leading-4">
          {key}
        </kbd>
      ))}
    </span>
  );
}

const TONES = {
  plain: "bg-raised text-dim",
  accent: "bg-accent/15 text-accent",
  good: "bg-good/15 text-good",
  warn: "bg-warn/15 text-warn",
  bad: "bg-bad/15 text-bad",
} as const;
export type Tone = keyof typeof TONES;

export function Badge({ tone = "plain", children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`inline-flex items-center rounded-md px-1.5 py-0.5 text-xs font-medium ${TONES[tone]}`}>
      {children}
    </span>
  );
}

/** What there is when there is nothing: says why, and what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-sm flex-col items-center gap-2 px-6 py-16 text-center">
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="text-sm text-dim">{children}</div>
    </div>
  );
}

const WIDTHS = ["w-11/12", "w-9/12", "w-10/12", "w-8/12", "w-7/12", "w-6/12"] as const;

/** At most six lines. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  return (
    <div className="flex animate-pulse flex-col gap-3 p-4" role="status" aria-label="Loading">
      {WIDTHS.slice(0, lines).map((width) => (
        <div key={width} className={`h-9 rounded-lg bg-raised ${width}`} />
      ))}
    </div>
  );
}

/**
 * Whether a page has to say why it shows nothing. What was read before stays while the server is away or
 * busy (the banner says that it may be old, and nobody's typing is lost), and goes when the server says that
 * it may be seen no more.
 */
export const cannotShow = <Q extends { isError: boolean; data: unknown; error: unknown }>(
  query: Q,
): query is Extract<Q, { isLoadingError: true }> =>
  query.isError && (query.data === undefined || isRefusal(query.error));

export function Failure({ error, retry }: { error: unknown; retry?: () => void }) {
  const problem = error instanceof Problem ? error : null;
  return (
    <div role="alert" className="m-4 rounded-lg border border-bad/40 bg-bad/10 p-3 text-sm">
      <p className="font-medium text-bad">{(error as Error).message}</p>
      {problem?.next !== null && problem !== null && <p>{problem.next}</p>}
      <p className="mt-1 flex items-center gap-3 text-xs text-dim">
        {problem !== null && (
          <a className="underline" href={`/docs/errors#${problem.code}`} target="_blank" rel="noreferrer">
            {problem.code}
          </a>
        )}
        {retry !== undefined && <Button onClick={retry}>Try again</Button>}
      </p>
    </div>
  );
}

export function Card({
  title,
  children,
  aside,
}: {
  title: ReactNode;
  children: ReactNode;
  aside?: ReactNode;
}) {
  return (
    <section className="rounded-xl border border-line bg-surface p-4">
      <h2 className="mb-2 flex items-center justify-between gap-2 text-sm font-semibold">
        <span>{title}</span>
        {aside}
      </h2>
      {children}
    </section>
  );
}
