/** Texts that the team uses again: read by all, written by leads. A change names the version that was seen. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { LIMITS } from "../../../../src/kernel/limits.ts";
import { VARIABLES } from "../../../../src/operators/desk/canned-text.ts";
import {
  addReply,
  type CannedReply,
  cannedReplies,
  changeReply,
  type ReplyText,
  removeReply,
} from "../../api/conversations.ts";
import { LANGUAGES } from "../../api/knowledge.ts";
import { Button, Card, cannotShow, Empty, Failure, Skeleton } from "../../parts/base.tsx";
import { BOX, Confirm, Field } from "../../parts/form.tsx";
import { notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";

const NEW: ReplyText = { shortcut: "", title: "", text: "", language: null };

export function CannedReplies() {
  const { me, may } = useSession();
  const queries = useQueryClient();
  const [changing, setChanging] = useState<CannedReply | null>(null);
  const [ending, setEnding] = useState<CannedReply | null>(null);
  const canEdit = may("canned_replies.edit");
  const list = useQuery({
    queryKey: ["canned-replies", me.tenant],
    queryFn: ({ signal }) => cannedReplies(signal),
  });
  const refresh = () => void queries.invalidateQueries({ queryKey: ["canned-replies"] });
  const remove = useMutation({
    mutationFn: removeReply,
    onSuccess: () => setEnding(null),
    onError: notifyProblem,
    onSettled: refresh,
  });
  if (list.isPending) return <Skeleton lines={4} />;
  if (cannotShow(list)) return <Failure error={list.error} retry={() => void list.refetch()} />;
  const { replies } = list.data;
  return (
    <>
      {canEdit && (
        <ReplyForm
          key={changing === null ? "new" : `${changing.reply_id}-${changing.version}`}
          reply={changing}
          done={() => {
            setChanging(null);
            refresh();
          }}
        />
      )}
      <Card title="Canned replies">
        {replies.length === 0 ? (
          <Empty title="No canned replies yet">
            What is written here, everybody finds under <kbd>;</kbd> or <kbd>/</kbd> while answering.
            {!canEdit && " Leads write them."}
          </Empty>
        ) : (
          <ul>
            {replies.map((reply) => (
              <li
                key={reply.reply_id}
                className="flex flex-wrap items-start gap-2 border-t border-line py-2 text-sm first:border-t-0"
              >
                <div className="min-w-0 flex-1 basis-56">
                  <p className="flex flex-wrap items-baseline gap-x-2">
                    <span dir="auto" className="font-medium">
                      {reply.title}
                    </span>
                    <code className="font-mono text-xs text-dim">;{reply.shortcut}</code>
                    <span className="text-xs text-dim">
                      {reply.language ?? "any language"}, by {reply.updated_by}
                    </span>
                  </p>
                  <p dir="auto" className="whitespace-pre-wrap wrap-anywhere text-dim">
                    {reply.text}
                  </p>
                </div>
                {canEdit && (
                  <>
                    <Button onClick={() => setChanging(reply)}>Change</Button>
                    <Button look="danger" onClick={() => setEnding(reply)}>
                      Remove …
                    </Button>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Confirm
        title={`Remove ${ending?.title ?? ""}?`}
        label="Remove"
        isOpen={ending !== null}
        isBusy={remove.isPending}
        isDangerous
        confirm={() => ending !== null && remove.mutate(ending)}
        close={() => setEnding(null)}
      >
        <p>Nobody finds it any more. What was already sent stays.</p>
      </Confirm>
    </>
  );
}

/** `reply` is the one to change; null: a new one. */
function ReplyForm({ reply, done }: { reply: CannedReply | null; done(): void }) {
  const [values, setValues] = useState<ReplyText>(reply ?? NEW);
  const save = useMutation({
    mutationFn: () => {
      const { shortcut, title, text, language } = values;
      const wish = { shortcut: shortcut.trim(), title: title.trim(), text, language };
      return reply === null ? addReply(wish) : changeReply(reply.reply_id, reply.version, wish);
    },
    onSuccess: () => {
      setValues(NEW);
      done();
    },
    onError: notifyProblem,
  });
  const set = (change: Partial<ReplyText>) => setValues({ ...values, ...change });
  return (
    <Card title={reply === null ? "Add one" : `Change ${reply.title}`}>
      <form
        className="grid gap-3 sm:grid-cols-3"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <Field label="Title">
          {(id) => (
            <input
              id={id}
              required
              maxLength={100}
              value={values.title}
              className={BOX}
              onChange={({ currentTarget }) => set({ title: currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Shortcut" hint="Lower-case letters, digits and -.">
          {(id, hintId) => (
            <input
              id={id}
              required
              maxLength={40}
              pattern="[a-z0-9][a-z0-9\-]*"
              aria-describedby={hintId}
              value={values.shortcut}
              className={BOX}
              onChange={({ currentTarget }) => set({ shortcut: currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Language">
          {(id) => (
            <select
              id={id}
              value={values.language ?? ""}
              className={BOX}
              onChange={({ currentTarget }) => set({ language: currentTarget.value || null })}
            >
              <option value="">Any</option>
              {LANGUAGES.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        </Field>
        <div className="sm:col-span-3">
          <Field
            label="Text"
            hint={`Filled in for each conversation: ${Object.keys(VARIABLES)
              .map((name) => `{{${name}}}`)
              .join(", ")}.`}
          >
            {(id, hintId) => (
              <textarea
                id={id}
                dir="auto"
                required
                rows={4}
                maxLength={LIMITS.cannedReplyChars}
                aria-describedby={hintId}
                value={values.text}
                className={BOX}
                onChange={({ currentTarget }) => set({ text: currentTarget.value })}
              />
            )}
          </Field>
        </div>
        <div className="flex gap-2 sm:col-span-3">
          <Button type="submit" look="primary" isBusy={save.isPending}>
            {reply === null ? "Add" : "Save"}
          </Button>
          {reply !== null && (
            <Button look="bare" onClick={done}>
              As it was
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
