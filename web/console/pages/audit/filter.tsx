/** What of the audit log is shown: begun words of what happened, the thing, who, and days. Sent on Enter. */
import { type RefObject, useState } from "react";
import type { AuditFilter } from "../../api/records.ts";
import { Button } from "../../parts/base.tsx";
import { BOX, Field } from "../../parts/form.tsx";

const FIELDS = [
  { name: "kind", label: "What", hint: "operator." },
  { name: "subject", label: "About", hint: "act_…, refunds@3" },
  { name: "by", label: "Who", hint: "olivia@…" },
] as const;

interface FilterProps {
  readonly filter: AuditFilter;
  readonly first: RefObject<HTMLInputElement | null>;
  use(next: AuditFilter): void;
}

export function Filter({ filter, first, use }: FilterProps) {
  const [texts, setTexts] = useState<AuditFilter>(filter);
  return (
    <search>
      <form
        className="grid grid-cols-2 items-end gap-2 rounded-xl border border-line bg-surface p-3 md:grid-cols-6"
        onSubmit={(event) => {
          event.preventDefault();
          use(texts);
        }}
      >
        {FIELDS.map(({ name, label, hint }) => (
          <Field key={name} label={label}>
            {(id) => (
              <input
                id={id}
                ref={name === "kind" ? first : undefined}
                value={texts[name] ?? ""}
                maxLength={name === "kind" ? 100 : 200}
                placeholder={hint}
                className={BOX}
                onChange={({ currentTarget }) => setTexts({ ...texts, [name]: currentTarget.value })}
              />
            )}
          </Field>
        ))}
        {(["from", "to"] as const).map((name) => (
          <Field key={name} label={name === "from" ? "From" : "To"}>
            {(id) => (
              <input
                id={id}
                type="date"
                value={texts[name] ?? ""}
                className={BOX}
                onChange={({ currentTarget }) => setTexts({ ...texts, [name]: currentTarget.value })}
              />
            )}
          </Field>
        ))}
        <Button type="submit" className="justify-center">
          Search
        </Button>
      </form>
    </search>
  );
}
