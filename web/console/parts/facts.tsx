/** Facts as people read them: names in words, values as text; never as markup. */

/** Facts as a list of names and values; what lies deeper is indented. */
export function Facts({ value }: { value: Readonly<Record<string, unknown>> }) {
  return (
    <dl className="text-sm">
      {Object.entries(value).map(([name, inner]) =>
        inner !== null && typeof inner === "object" && !Array.isArray(inner) ? (
          <div key={name} className="mt-1">
            <dt className="text-xs font-semibold text-dim">{words(name)}</dt>
            <dd className="border-l border-line pl-3">
              <Facts value={inner as Record<string, unknown>} />
            </dd>
          </div>
        ) : (
          <div key={name} className="flex justify-between gap-3 py-0.5">
            <dt className="text-dim">{words(name)}</dt>
            <dd className="text-right break-words tabular-nums">{shownFact(name, inner)}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** `refundsInWindow` → `refunds in window`; the unit of an amount is said by its value. */
export const words = (name: string): string =>
  name
    .replace(/Minor$/, "")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();

const shownFact = (name: string, value: unknown): string =>
  typeof value === "number" && name.endsWith("Minor") ? `${value} minor units` : shownValue(value);

export function shownValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(shownValue).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
