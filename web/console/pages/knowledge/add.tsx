/** A document from a file of one's own: how large it may be is said before it is chosen, and held to before it is sent. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { LIMITS } from "../../../../src/kernel/limits.ts";
import { type Added, addDocument, FORMATS, KINDS, LANGUAGES } from "../../api/knowledge.ts";
import { Button, Card } from "../../parts/base.tsx";
import { BOX, Field } from "../../parts/form.tsx";
import { notify, notifyProblem } from "../../parts/toast.tsx";
import { counted } from "../../words.ts";
import { HeldFor } from "./knowledge-page.tsx";

const MIB = 1_048_576;
const FORMAT_OF: Readonly<Record<string, string>> = {
  md: "markdown",
  markdown: "markdown",
  html: "html",
  htm: "html",
  pdf: "pdf",
  txt: "text",
};

/** Without `data:…,` in front. */
const base64 = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",")[1] ?? "");
    reader.onerror = () => reject(new Error("The file could not be read. Choose it again."));
    reader.readAsDataURL(file);
  });

const EMPTY = {
  document_id: "",
  version: "1",
  title: "",
  kind: "faq",
  language: "en",
  audience: "customer",
  format: "markdown",
  effective_from: "",
};
type Values = typeof EMPTY;

export function AddDocument({ done }: { done(): void }) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [values, setValues] = useState<Values>(EMPTY);
  const [held, setHeld] = useState<Added | null>(null);
  const isTooLarge = file !== null && file.size > LIMITS.documentBytes;
  const add = useMutation({
    mutationFn: async (chosen: File) => {
      const { effective_from, ...rest } = values;
      return addDocument({
        ...rest,
        ...(effective_from === "" ? {} : { effective_from }),
        content: await base64(chosen),
      });
    },
    onSuccess: (added) => {
      void queries.invalidateQueries({ queryKey: ["knowledge"] });
      if (added.outcome === "held") return setHeld(added);
      notify({
        title:
          added.outcome === "published"
            ? `Published in ${counted(added.passages, "passage")}`
            : "It was there already, the same",
      });
      done();
    },
    onError: notifyProblem,
  });
  const choose = (chosen: File | null) => {
    setFile(chosen);
    setHeld(null);
    if (chosen === null) return;
    const [, stem = "", ending = ""] = /^(.*?)(?:\.([^.]*))?$/.exec(chosen.name) ?? [];
    setValues((before) => ({
      ...before,
      format: FORMAT_OF[ending.toLowerCase()] ?? before.format,
      document_id:
        before.document_id ||
        stem
          .toLowerCase()
          .replace(/[^a-z0-9._-]+/g, "-")
          .replace(/^[^a-z0-9]+/, "")
          .slice(0, 64),
      title: before.title || stem.replaceAll(/[-_]+/g, " "),
    }));
  };
  const set = (name: keyof Values) => (value: string) => setValues({ ...values, [name]: value });
  return (
    <Card title="Add a document, or a new version of one">
      <form
        className="grid gap-3 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== null && !isTooLarge) add.mutate(file);
        }}
      >
        <div className="sm:col-span-2">
          <Field
            label="File"
            hint={`Markdown, HTML, PDF or plain text; at most ${LIMITS.documentBytes / MIB} MiB.`}
          >
            {(id, hintId) => (
              <input
                id={id}
                type="file"
                required
                aria-describedby={hintId}
                aria-invalid={isTooLarge}
                accept=".md,.markdown,.html,.htm,.pdf,.txt"
                className={BOX}
                onChange={({ currentTarget }) => choose(currentTarget.files?.[0] ?? null)}
              />
            )}
          </Field>
          {isTooLarge && (
            <p role="alert" className="mt-1 text-sm text-bad">
              This file has {(file.size / MIB).toFixed(1)} MiB. Split it into smaller ones.
            </p>
          )}
        </div>
        <Text label="Title" value={values.title} max={200} set={set("title")} />
        <Text
          label="Name"
          hint="The same for all versions: lower-case letters, digits, dots, hyphens."
          value={values.document_id}
          max={64}
          pattern="[a-z0-9][a-z0-9._\-]*"
          set={set("document_id")}
        />
        <Text label="Version" value={values.version} max={64} pattern="[\w.\-]+" set={set("version")} />
        <Field label="In force from" hint="A day of the shop's calendar; now if empty.">
          {(id, hintId) => (
            <input
              id={id}
              type="date"
              aria-describedby={hintId}
              value={values.effective_from}
              className={BOX}
              onChange={({ currentTarget }) => set("effective_from")(currentTarget.value)}
            />
          )}
        </Field>
        <Choice label="Kind" value={values.kind} choices={KINDS} set={set("kind")} />
        <Choice label="Format" value={values.format} choices={FORMATS} set={set("format")} />
        <Choice label="Language" value={values.language} choices={LANGUAGES} set={set("language")} />
        <Choice
          label="Who may read it"
          value={values.audience}
          choices={["customer", "operator"]}
          set={set("audience")}
        />
        <div className="sm:col-span-2">
          <Button type="submit" look="primary" isBusy={add.isPending} disabled={file === null || isTooLarge}>
            Add
          </Button>
        </div>
      </form>
      {held !== null && (
        <div role="alert" className="mt-3">
          <HeldFor why={held.held_for} />
          <p className="mt-1 text-sm">It answers nobody until it is released.</p>
          <Button className="mt-2" onClick={done}>
            Show the documents
          </Button>
        </div>
      )}
    </Card>
  );
}

interface TextProps {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly max: number;
  readonly pattern?: string;
  set(value: string): void;
}

function Text({ label, hint, value, max, pattern, set }: TextProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(id, hintId) => (
        <input
          id={id}
          required
          aria-describedby={hintId}
          value={value}
          maxLength={max}
          pattern={pattern}
          className={BOX}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly string[];
  set(value: string): void;
}

function Choice({ label, value, choices, set }: ChoiceProps) {
  return (
    <Field label={label}>
      {(id) => (
        <select
          id={id}
          value={value}
          className={BOX}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          {choices.map((each) => (
            <option key={each} value={each}>
              {each.replaceAll("_", " ")}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
