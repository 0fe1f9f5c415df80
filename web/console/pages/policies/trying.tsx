/** A text that is not published: checked, tried on the decisions of before, and published by who may. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
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
import { Badge, Button, Card, Empty, Skeleton } from "../../parts/base.tsx";
import { BOX, Confirm, Field } from "../../parts/form.tsx";
import { Time } from "../../parts/time.tsx";
import { notify, notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";
import { VERDICTS } from "../actions/states.ts";

const COUNTS = [50, 100, 500, 1_000] as const;

/** `base` is the version whose text is begun with. */
export function Trying({ base, current }: { base: string | null; current: string | null }) {
  const { me } = useSession();
  const text = useQuery({
    queryKey: ["policies", me.tenant, base],
    queryFn: ({ signal }) => policyText(base ?? "", signal),
    enabled: base !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (base !== null && text.isPending) return <Skeleton lines={6} />;
  return <Editor key={base} begun={text.data?.source ?? ""} current={current} />;
}

function Editor({ begun, current }: { begun: string; current: string | null }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [source, setSource] = useState(begun);
  const [last, setLast] = useState<number>(100);
  const [isAsking, setAsking] = useState(false);
  const check = useMutation({ mutationFn: () => checkPolicy(source), onError: notifyProblem });
  const preview = useMutation({ mutationFn: () => previewPolicy(source, last), onError: notifyProblem });
  const publish = useMutation({
    mutationFn: () => publishPolicy(source),
    onSuccess: (published) => {
      setAsking(false);
      void queries.invalidateQueries({ queryKey: ["policies"] });
      notify({
        title: `Version ${published.version} is published`,
        description: `It governs from ${published.effective_from} on.`,
      });
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
    const checked = await check.mutateAsync().catch(() => null);
    if (checked?.valid !== true) return;
    if ((await preview.mutateAsync().catch(() => null)) !== null) setAsking(true);
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
        run: () => check.mutate(),
      },
      {
        id: "policies.preview",
        label: "Show which decisions would have been others",
        keys: "p",
        group: "Policies",
        isOff: isBusy,
        run: () => preview.mutate(),
      },
    ],
    [source, last, isBusy],
  );
  return (
    <>
      <Field
        label="Text"
        hint="Give it a version and an effective_from of its own. Nothing is published until you say so."
      >
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
      <div className="flex flex-wrap items-center gap-2">
        <Button keys="mod+enter" isBusy={check.isPending} onClick={() => check.mutate()}>
          Check
        </Button>
        <Button keys="p" isBusy={preview.isPending} onClick={() => preview.mutate()}>
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
        {canPublish && (
          <Button
            look="primary"
            className="ml-auto"
            isBusy={isBusy}
            disabled={source === begun}
            onClick={() => void askToPublish()}
          >
            Publish …
          </Button>
        )}
      </div>
      {check.data !== undefined && <Checked check={check.data} />}
      {preview.data !== undefined && <Previewed preview={preview.data} />}
      <Confirm
        title={`Publish version ${check.data?.version ?? ""}?`}
        label="Publish"
        isOpen={isAsking}
        isBusy={publish.isPending}
        isWide
        confirm={() => publish.mutate()}
        close={() => setAsking(false)}
      >
        <p>
          It decides about money from <strong>{check.data?.effective_from}</strong> on
          {current !== null && `, in place of version ${current}`}. What is published never changes: only
          another version corrects it.
        </p>
        {preview.data !== undefined && <Previewed preview={preview.data} />}
      </Confirm>
    </>
  );
}

function Checked({ check: { valid, faults, version, effective_from } }: { check: PolicyCheck }) {
  return (
    <Card
      title="Check"
      aside={<Badge tone={valid ? "good" : "bad"}>{valid ? "Can be published" : "Has faults"}</Badge>}
    >
      {valid ? (
        <p role="status" className="text-sm">
          Version {version}, effective from {effective_from}.
        </p>
      ) : (
        <ul role="alert" className="flex flex-col gap-2 text-sm">
          {faults.map((fault) => (
            <li key={`${fault.line}-${fault.column}-${fault.message}`}>
              <span className="font-medium text-bad">
                Line {fault.line}
                {fault.column !== null && `, column ${fault.column}`}:
              </span>{" "}
              {fault.message}
              <span className="block text-dim">{fault.fix}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Previewed({ preview: { decisions, changed } }: { preview: PolicyPreview }) {
  if (decisions === 0) {
    return (
      <Empty title="No decisions yet">
        As soon as refunds were asked for, a text can be tried on what was decided then.
      </Empty>
    );
  }
  return (
    <Card title={`${changed.length} of the last ${decisions} decisions would have gone the other way`}>
      {changed.length === 0 && <p className="text-sm text-dim">It decides all of them as before.</p>}
      <ul className="flex flex-col gap-2 text-sm">
        {changed.map((each) => (
          <li key={`${each.action_id}-${each.order_number}-${each.decided_at}`}>
            <p className="flex flex-wrap items-center gap-2">
              {each.action_id === null ? (
                <span className="font-medium">
                  {each.kind} #{each.order_number}
                </span>
              ) : (
                <Link
                  className="font-medium underline"
                  to="/actions"
                  search={{ action: each.action_id } as never}
                >
                  {each.kind} #{each.order_number}
                </Link>
              )}
              <span className="tabular-nums">{each.amount}</span>
              <Badge tone={VERDICTS[each.was].tone}>{VERDICTS[each.was].text}</Badge>→
              <Badge tone={VERDICTS[each.would_be].tone}>{VERDICTS[each.would_be].text}</Badge>
              <span className="ml-auto text-xs text-dim">
                <Time at={each.decided_at} />
              </span>
            </p>
            <p className="text-xs text-dim">
              {each.was_clauses.join(", ")} → {each.would_be_clauses.join(", ")}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
