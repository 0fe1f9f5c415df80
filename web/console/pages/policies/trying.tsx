/** A text that is not published: checked, tried on the decisions of before, and published by who may. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  checkPolicy,
  type PolicyCheck,
  type PolicyPreview,
  policyText,
  previewPolicy,
  publishPolicy,
} from "../../api/policies.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Button, cannotShow, Failure, Skeleton } from "../../parts/base.tsx";
import { BOX, Confirm, Field } from "../../parts/form.tsx";
import { notify, notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";
import { headValue, nextVersion, withHeadValue } from "./front-matter.ts";
import { Checked, Previewed } from "./results.tsx";
import { useKeptText } from "./use-kept-text.ts";

const COUNTS = [50, 100, 500, 1_000] as const;

interface TryingProps {
  /** The version whose text is begun with; null when none is published. */
  readonly base: string | null;
  readonly current: string | null;
  /** From when it counts unless somebody says otherwise: a day that others can still look at it before. */
  readonly nextFreeDay: string;
  published(version: string): void;
}

export function Trying(props: TryingProps) {
  const { base } = props;
  const { me } = useSession();
  const text = useQuery({
    queryKey: ["policies", me.tenant, base],
    queryFn: ({ signal }) => policyText(base ?? "", signal),
    enabled: base !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (base !== null && text.isPending) return <Skeleton lines={6} />;
  if (cannotShow(text)) return <Failure error={text.error} retry={() => void text.refetch()} />;
  return <Editor key={base} {...props} begun={text.data?.source ?? ""} />;
}

interface Asked {
  readonly source: string;
  readonly check: PolicyCheck;
  readonly preview: PolicyPreview;
}

function Editor({ base, begun, current, nextFreeDay, published }: TryingProps & { readonly begun: string }) {
  const { me, may } = useSession();
  const queries = useQueryClient();
  const version = headValue(begun, "version");
  const dated = withHeadValue(begun, "effective_from", nextFreeDay);
  const first = version === null ? dated : withHeadValue(dated, "version", nextVersion(version));
  const [source, setSource] = useKeptText(`${me.tenant}:${base ?? ""}`, first);
  const [last, setLast] = useState<number>(100);
  /** What was seen is what is published, whatever has been typed since. */
  const [asked, setAsked] = useState<Asked | null>(null);
  const check = useMutation({ mutationFn: checkPolicy, onError: notifyProblem });
  const preview = useMutation({
    mutationFn: (text: string) => previewPolicy(text, last),
    onError: notifyProblem,
  });
  const publish = useMutation({
    mutationFn: publishPolicy,
    onSuccess: async ({ version, effective_from }) => {
      setAsked(null);
      change(first);
      await queries.invalidateQueries({ queryKey: ["policies"] });
      notify({
        title: `Version ${version} is published`,
        description: `It governs from ${effective_from} on.`,
      });
      published(version);
    },
    onError: notifyProblem,
  });
  const change = (next: string) => {
    setSource(next);
    // They were about another text.
    check.reset();
    preview.reset();
  };
  const canPublish = may("policies.publish");
  /** Never without having seen what changes. */
  const askToPublish = async () => {
    const checked = await check.mutateAsync(source).catch(() => null);
    if (checked?.valid !== true) return;
    const previewed = await preview.mutateAsync(source).catch(() => null);
    if (previewed !== null) setAsked({ source, check: checked, preview: previewed });
  };
  const isBusy = check.isPending || preview.isPending;
  useCommands(
    [
      {
        id: "policies.check",
        label: "Check the text",
        keys: "mod+enter",
        group: "Policies",
        isOff: isBusy,
        run: () => check.mutate(source),
      },
      {
        id: "policies.preview",
        label: "Show which decisions would have been others",
        keys: "p",
        group: "Policies",
        isOff: isBusy,
        run: () => preview.mutate(source),
      },
    ],
    [source, last, isBusy],
  );
  return (
    <>
      <div className="grid grid-cols-2 items-end gap-3 sm:grid-cols-[10rem_12rem_1fr]">
        <Head name="version" label="Version" source={source} change={change} />
        <Head name="effective_from" label="Effective from" source={source} change={change} />
        {source !== first && (
          <Button
            look="bare"
            className="col-span-2 justify-self-start sm:col-span-1"
            onClick={() => change(first)}
          >
            {base === null ? "Start again" : `Start again from version ${base}`}
          </Button>
        )}
      </div>
      <Field label="Text" hint="Kept in this tab while you write. Nothing is published until you say so.">
        {(id, hintId) => (
          <textarea
            id={id}
            aria-describedby={hintId}
            value={source}
            rows={18}
            spellCheck={false}
            className={`${BOX} font-mono !text-xs`}
            onChange={({ currentTarget }) => change(currentTarget.value)}
          />
        )}
      </Field>
      {canPublish && !may("policies.publish_today") && (
        <p className="text-xs text-dim">
          You publish from tomorrow on, so that others can look at it before. Admins publish from today on.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button keys="mod+enter" isBusy={check.isPending} onClick={() => check.mutate(source)}>
          Check
        </Button>
        <Button keys="p" isBusy={preview.isPending} onClick={() => preview.mutate(source)}>
          What would it have decided?
        </Button>
        <select
          aria-label="How many decisions"
          value={last}
          className={`${BOX} !w-auto`}
          onChange={({ currentTarget }) => setLast(Number(currentTarget.value))}
        >
          {COUNTS.map((count) => (
            <option key={count} value={count}>
              last {count} decisions
            </option>
          ))}
        </select>
        {canPublish ? (
          <Button
            look="primary"
            className="ml-auto"
            isBusy={isBusy}
            disabled={source === first}
            onClick={() => void askToPublish()}
          >
            Publish …
          </Button>
        ) : (
          <span className="ml-auto text-xs text-dim">Leads and admins publish: give them this text.</span>
        )}
      </div>
      {check.data !== undefined && <Checked check={check.data} />}
      {preview.data !== undefined && <Previewed preview={preview.data} />}
      <Confirm
        title={`Publish version ${asked?.check.version ?? ""}?`}
        label="Publish"
        isOpen={asked !== null}
        isBusy={publish.isPending}
        isWide
        confirm={() => asked !== null && publish.mutate(asked.source)}
        close={() => setAsked(null)}
      >
        <p>
          It decides about money from <strong>{asked?.check.effective_from}</strong> on
          {current !== null && `, in place of version ${current}`}. What is published never changes: until
          that day it can be withdrawn, and then only another version corrects it.
        </p>
        {asked !== null && <Previewed preview={asked.preview} />}
      </Confirm>
    </>
  );
}

interface HeadProps {
  readonly name: "version" | "effective_from";
  readonly label: string;
  readonly source: string;
  change(source: string): void;
}

/** One line of the text's head as a field of its own; where the text has no such line there is none. */
function Head({ name, label, source, change }: HeadProps) {
  const value = headValue(source, name);
  if (value === null) return null;
  return (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          type={name === "version" ? "text" : "date"}
          required
          maxLength={64}
          value={value}
          className={BOX}
          onChange={({ currentTarget }) => change(withHeadValue(source, name, currentTarget.value))}
        />
      )}
    </Field>
  );
}
