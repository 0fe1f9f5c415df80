/** Opening hours: spans of each day, as `09:00-12:00, 13:00-17:00`, and the days that are closed. */
import { useState } from "react";
import { BOX, Field } from "../../parts/form.tsx";

const DAYS = [
  ["mon", "Monday"],
  ["tue", "Tuesday"],
  ["wed", "Wednesday"],
  ["thu", "Thursday"],
  ["fri", "Friday"],
  ["sat", "Saturday"],
  ["sun", "Sunday"],
] as const;

interface Span {
  readonly from: string;
  readonly to: string;
}
interface Opening {
  readonly week: Readonly<Record<string, readonly Span[]>>;
  readonly closed_on?: readonly string[];
}
type Values = Readonly<Record<string, unknown>>;

const listOf = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== "");

/** What is no span is sent as it is: the server says what is wrong with it. */
const spansOf = (text: string): Span[] =>
  listOf(text).map((each) => {
    const [from = "", to = ""] = each.split(/\s*[-–]\s*/);
    return { from, to };
  });
const shown = (spans: readonly Span[] | undefined): string =>
  (spans ?? []).map(({ from, to }) => `${from}-${to}`).join(", ");

export function Hours({ value, change }: { value: Values; change(value: Values): void }) {
  const opening = (value.opening ?? null) as Opening | null;
  const set = (next: Opening | null) => change({ ...value, opening: next });
  return (
    <>
      <label className="flex items-center gap-2 text-sm font-medium sm:col-span-2">
        <input
          type="checkbox"
          checked={opening !== null}
          onChange={({ currentTarget }) => set(currentTarget.checked ? { week: {} } : null)}
        />
        People answer at certain hours only
      </label>
      {opening === null ? (
        <p className="text-sm text-dim sm:col-span-2">
          Customers are told no hours, and the time to decide runs day and night.
        </p>
      ) : (
        <>
          {DAYS.map(([day, label]) => (
            <Typed
              key={day}
              label={label}
              hint={day === "mon" ? "Such as 09:00-12:00, 13:00-17:00; empty: closed." : undefined}
              begun={shown(opening.week[day])}
              change={(text) => set({ ...opening, week: { ...opening.week, [day]: spansOf(text) } })}
            />
          ))}
          <Typed
            label="Closed on"
            hint="Dates such as 2026-12-25, with commas between."
            begun={(opening.closed_on ?? []).join(", ")}
            change={(text) => set({ ...opening, closed_on: listOf(text) })}
          />
        </>
      )}
    </>
  );
}

interface TypedProps {
  readonly label: string;
  readonly hint: string | undefined;
  readonly begun: string;
  change(text: string): void;
}

/** What is typed stays as typed while it is being made into a value. */
function Typed({ label, hint, begun, change }: TypedProps) {
  const [text, setText] = useState(begun);
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(id, hintId) => (
        <input
          id={id}
          aria-describedby={hintId}
          value={text}
          className={BOX}
          onChange={({ currentTarget }) => {
            setText(currentTarget.value);
            change(currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}
