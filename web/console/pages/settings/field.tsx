/** One value of the settings, drawn by what it is: a switch, a choice, a number, lines, or text. */
import { useState } from "react";
import { BOX, Field } from "../../parts/form.tsx";
import type { AreaField } from "./fields.ts";

interface FieldOfProps {
  readonly field: AreaField;
  readonly value: unknown;
  change(value: unknown): void;
}

export function FieldOf({ field, value, change }: FieldOfProps) {
  const { label, hint, choices, isNumberOrNone = false } = field;
  // What is typed stays as typed: `1.` is not a number yet, and an empty line is a line to come.
  const [typed, setTyped] = useState<{ text: string; of: unknown } | null>(null);
  const said = Array.isArray(value) ? value.join("\n") : String(value ?? "");
  const text = typed !== null && typed.of === value ? typed.text : said;
  const take = (next: string, of: unknown) => {
    setTyped({ text: next, of });
    change(of);
  };
  if (typeof value === "boolean") {
    return (
      <label className="flex items-center gap-2 text-sm font-medium sm:col-span-2">
        <input
          type="checkbox"
          checked={value}
          onChange={({ currentTarget }) => change(currentTarget.checked)}
        />
        {label}
      </label>
    );
  }
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(id, hintId) =>
        choices !== undefined ? (
          <select
            id={id}
            aria-describedby={hintId}
            value={text}
            className={BOX}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          >
            {choices.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        ) : Array.isArray(value) ? (
          <textarea
            id={id}
            aria-describedby={hintId}
            rows={4}
            value={text}
            className={BOX}
            onChange={({ currentTarget }) =>
              take(
                currentTarget.value,
                currentTarget.value
                  .split("\n")
                  .map((line) => line.trim())
                  .filter((line) => line !== ""),
              )
            }
          />
        ) : typeof value === "number" || isNumberOrNone ? (
          <input
            id={id}
            type="number"
            step="any"
            required={!isNumberOrNone}
            aria-describedby={hintId}
            value={typeof value !== "number" || Number.isNaN(value) ? "" : value}
            className={BOX}
            onChange={({ currentTarget: { valueAsNumber } }) =>
              change(isNumberOrNone && Number.isNaN(valueAsNumber) ? null : valueAsNumber)
            }
          />
        ) : (
          <input
            id={id}
            aria-describedby={hintId}
            value={text}
            className={BOX}
            onChange={({ currentTarget }) => change(currentTarget.value === "" ? null : currentTarget.value)}
          />
        )
      }
    </Field>
  );
}
