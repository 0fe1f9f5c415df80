/** Each rule of the policy with what it read and what came of it: those that decided open, the rest behind one line. */
import type { Review, Rule } from "../../api/reviews.ts";
import { Badge, Card, type Tone } from "../../parts/base.tsx";
import { factText, words } from "../../parts/facts.tsx";
import { counted } from "../../words.ts";

const RESULTS: Readonly<Record<Rule["result"], { text: string; tone: Tone }>> = {
  forbids: { text: "Forbids", tone: "bad" },
  needs_person: { text: "Needs a person", tone: "warn" },
  permits: { text: "Permits", tone: "good" },
  no_objection: { text: "No objection", tone: "plain" },
};

export function Rules({ review }: { review: Review }) {
  const { rules, currency, tenant_currency: tenantCurrency } = review;
  const currencies = { tenantCurrency, ...(currency === null ? {} : { currency }) };
  if (rules.length === 0) return null;
  const quiet = rules.filter(({ result }) => result === "no_objection");
  const decided = rules.filter(({ result }) => result !== "no_objection");
  return (
    <Card title="Rules that were checked">
      {decided.length > 0 && <List rules={decided} currencies={currencies} />}
      {quiet.length > 0 && (
        <details className={decided.length > 0 ? "mt-2" : ""}>
          <summary className="cursor-pointer text-sm text-dim">
            {counted(quiet.length, "rule")} without an objection
          </summary>
          <div className="mt-2">
            <List rules={quiet} currencies={currencies} />
          </div>
        </details>
      )}
    </Card>
  );
}

interface ListProps {
  readonly rules: readonly Rule[];
  readonly currencies: { readonly currency?: string; readonly tenantCurrency: string };
}

function List({ rules, currencies }: ListProps) {
  return (
    <ul className="flex flex-col gap-3">
      {rules.map(({ clause_id, title, text, result, inputs }) => (
        <li key={clause_id} className="text-sm">
          <p className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{title}</span>
            <Badge tone={RESULTS[result].tone}>{RESULTS[result].text}</Badge>
            <span className="text-xs text-dim">{clause_id}</span>
          </p>
          <p className="text-dim">{text}</p>
          <dl className="mt-1 border-l border-line pl-3">
            {inputs.map(({ name, value }) => (
              <div key={name} className="flex justify-between gap-3 py-0.5">
                <dt className="text-dim">{inputName(name)}</dt>
                <dd dir="auto" className="min-w-0 text-right wrap-anywhere tabular-nums">
                  {factText(name, value, currencies)}
                </dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  );
}

/** `limits.unattendedMaxMinor` → `limit: unattended max`; the other groups are clear from their names. */
function inputName(name: string): string {
  const [group = "", ...rest] = name.split(".");
  const own = words(rest.join(" "));
  return group === "limits" ? `limit: ${own}` : `${words(group)}: ${own}`;
}
