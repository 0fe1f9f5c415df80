/** Cards under a message: an order as it stands, a refund or return as it proceeds, where an answer comes from. */

import type { Citation, OrderCard } from "./client.ts";
import type { ActionEvent, ChatState } from "./state.ts";
import type { Words } from "./words/words.ts";

interface Shared {
  readonly words: Words;
  readonly language: string;
}

const day = (language: string, at: number | string) =>
  new Intl.DateTimeFormat(language, { weekday: "short", day: "numeric", month: "short" }).format(
    new Date(at),
  );

export function money(language: string, amountMinor: number, currency: string): string {
  const format = new Intl.NumberFormat(language, { style: "currency", currency });
  return format.format(amountMinor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

/** Only web addresses become links: the text comes from another system. */
const isWeb = (url: string | null): url is string => url !== null && /^https?:\/\//i.test(url);

export function Order({ order, words, language }: Shared & { order: OrderCard["order"] }) {
  return (
    <section class="card" aria-label={words.order(order.number)}>
      <h3>
        {words.order(order.number)} <span>{words.states[order.state] ?? order.state}</span>
      </h3>
      <ul>
        {order.lineItems.map((line) => (
          <li key={line.title}>
            <span>
              {line.quantity > 1 ? `${line.quantity} × ` : ""}
              {line.title}
            </span>
            <span>{money(language, line.totalMinor, order.currency)}</span>
          </li>
        ))}
      </ul>
      {order.fulfilments.map((parcel) => (
        <p key={parcel.trackingNumber}>
          {parcel.deliveredAt !== null
            ? words.arrived(day(language, parcel.deliveredAt))
            : parcel.estimatedDeliveryAt !== null
              ? words.arrives(day(language, parcel.estimatedDeliveryAt))
              : (words.states[parcel.state] ?? parcel.state)}{" "}
          · {parcel.carrier}{" "}
          {isWeb(parcel.trackingUrl) ? (
            <a href={parcel.trackingUrl} target="_blank" rel="noopener noreferrer">
              {words.track}
            </a>
          ) : (
            parcel.trackingNumber
          )}
        </p>
      ))}
    </section>
  );
}

/** How far a state is: asked, with a person, sent, confirmed. */
const REACHED: Readonly<Record<string, number>> = {
  proposed: 0,
  awaiting_approval: 1,
  needs_person: 1,
  scheduled: 0,
  executing: 2,
  unknown: 2,
  pending: 2,
  succeeded: 3,
};
const OVER = new Set(["failed", "rejected", "denied", "expired", "cancelled"]);

/** Follows the action's states; says nothing that is not confirmed. */
export function Tracker({ action, words, language }: Shared & { action: ChatState["actions"][number] }) {
  const { latest, states } = action;
  const title = `${latest.kind === "refund" ? words.refund : words.return}${latest.order_number ? ` · ${words.order(latest.order_number)}` : ""}`;
  const wentToPerson = states.some((state) => REACHED[state] === 1);
  const reached = REACHED[latest.state] ?? 0;
  const steps = (
    [
      ["asked", 0],
      ["person", 1],
      ["sent", 2],
      ["confirmed", 3],
    ] as const
  ).filter(([name]) => name !== "person" || wentToPerson);
  return (
    <section class="card tracker" aria-label={title}>
      <h3>
        {title} <span>{amountOf(latest, language)}</span>
      </h3>
      {OVER.has(latest.state) ? (
        <p class="ended">{words.states[latest.state] ?? latest.state}</p>
      ) : (
        <ol>
          {steps.map(([name, at]) => {
            const isNow = at === reached;
            return (
              <li
                key={name}
                class={isNow && at < 3 ? "now" : at <= reached ? "done" : ""}
                aria-current={isNow ? "step" : undefined}
              >
                {name === "sent" && latest.state === "unknown" ? words.checking : words.steps[name]}
              </li>
            );
          })}
        </ol>
      )}
    </section>
  );
}

function amountOf({ amount, currency, kind }: ActionEvent, language: string): string {
  if (kind !== "refund" || amount === undefined || currency === undefined) return "";
  return new Intl.NumberFormat(language, { style: "currency", currency }).format(Number(amount));
}

export function Sources({ citations, words, language }: Shared & { citations: readonly Citation[] }) {
  if (citations.length === 0) return null;
  return (
    <ul class="sources">
      {citations.map(({ title, version, effectiveFrom }) => (
        <li key={`${title} ${version}`}>
          {words.source}: {title} (v{version}
          {effectiveFrom === undefined ? "" : `, ${words.since(day(language, effectiveFrom))}`})
        </li>
      ))}
    </ul>
  );
}
