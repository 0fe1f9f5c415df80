/** Mails that no rule let through to the assistant, and mails of ours that did not arrive: why, and what can be done. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { handleMail, type MailFilter, mailPage, unsentMails, VERDICTS } from "../../api/mails.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Button, Card, cannotShow, Empty, Failure, Skeleton } from "../../parts/base.tsx";
import { Earlier } from "../../parts/earlier.tsx";
import { useListPage } from "../../parts/list-page.ts";
import { notify, notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";
import { ReceivedMail, Unsent } from "./mail.tsx";
import { RECEIVED } from "./verdicts.ts";

export function MailsPage() {
  const { me, may } = useSession();
  const queries = useQueryClient();
  const {
    selected: opened,
    said,
    filter,
    list,
    items: mails,
    go,
  } = useListPage({
    from: "/mails",
    chosen: "mail",
    commands: "mails",
    group: "Mail",
    hasSearch: false,
    queryKey: ["mails", me.tenant],
    page: (filter: MailFilter, cursor, signal) => mailPage(filter, cursor, signal),
    itemsOf: (page) => page.mails,
    idOf: ({ mail_id }) => mail_id,
  });
  const unsent = useQuery({
    queryKey: ["mails", me.tenant, "unsent"],
    queryFn: ({ signal }) => unsentMails(signal),
  });
  const filterBy = (next: MailFilter) => go(next, null);
  const open = (id: string | null) => go(filter, id);
  const handle = useMutation({
    mutationFn: handleMail,
    onSuccess: async () => {
      notify({ title: "It is off the list" });
      await queries.invalidateQueries({ queryKey: ["mails", me.tenant] });
    },
    onError: notifyProblem,
  });
  const chosen = mails.find(({ mail_id }) => mail_id === opened);
  const mayHandle = may("conversations.reply");
  useCommands(
    [
      {
        id: "mails.handle",
        label: "Dealt with",
        keys: "e",
        group: "Mail",
        isOff: !mayHandle || chosen === undefined || chosen.handled_at !== null,
        run: () => chosen !== undefined && handle.mutate(chosen.mail_id),
      },
      { id: "mails.newer", label: "Look again", keys: "r", group: "Mail", run: () => void list.refetch() },
    ],
    [chosen, mayHandle, handle.mutate, list.refetch],
  );
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-4xl flex-col gap-3 p-3">
        <header className="flex flex-wrap items-center gap-2">
          <h1 className="text-lg font-semibold">Mail that got no answer</h1>
          <label className="ml-auto flex items-center gap-2 text-sm">
            Why
            <select
              className="min-h-9 rounded-lg border border-line bg-surface px-2 text-sm"
              value={filter.verdict ?? ""}
              onChange={(event) => filterBy({ ...filter, verdict: event.target.value })}
            >
              <option value="">All</option>
              {VERDICTS.map((verdict) => (
                <option key={verdict} value={verdict}>
                  {RECEIVED[verdict].label}
                </option>
              ))}
            </select>
          </label>
          <label className="flex min-h-9 items-center gap-2 text-sm">
            <input
              type="checkbox"
              checked={filter.handled === "true"}
              onChange={(event) => filterBy({ ...filter, handled: event.target.checked ? "true" : "" })}
            />
            Dealt with
          </label>
        </header>
        <p className="text-sm text-dim">
          Every mail is kept. These were not given to the assistant; the sender is what the mail claims.
        </p>
        {list.isPending ? (
          <Skeleton lines={6} />
        ) : cannotShow(list) ? (
          <Failure error={list.error} retry={() => void list.refetch()} />
        ) : mails.length === 0 ? (
          <Empty title={said === "{}" ? "Nothing is waiting here" : "Nothing fits"}>
            {said === "{}" ? "Every mail that came in was answered or dealt with." : "Choose another reason."}
          </Empty>
        ) : (
          <ol className="overflow-hidden rounded-xl border border-line bg-surface">
            {mails.map((mail) => (
              <ReceivedMail
                key={mail.mail_id}
                mail={mail}
                isOpen={mail.mail_id === opened}
                open={open}
                handle={
                  mayHandle && mail.handled_at === null ? (
                    <Button keys="e" isBusy={handle.isPending} onClick={() => handle.mutate(mail.mail_id)}>
                      Dealt with
                    </Button>
                  ) : null
                }
              />
            ))}
          </ol>
        )}
        <Earlier list={list} />
        <Card title="Mails of ours that did not arrive">
          {unsent.isPending ? (
            <Skeleton lines={2} />
          ) : cannotShow(unsent) ? (
            <Failure error={unsent.error} retry={() => void unsent.refetch()} />
          ) : unsent.data.mails.length === 0 ? (
            <p className="text-sm text-dim">None.</p>
          ) : (
            <ul className="flex flex-col gap-2">
              {unsent.data.mails.map((mail) => (
                <Unsent key={mail.mail_id} mail={mail} />
              ))}
            </ul>
          )}
        </Card>
        <p className="text-xs text-dim">
          What conversations by mail became is on{" "}
          <Link className="underline" to="/conversations">
            Conversations
          </Link>
          .
        </p>
      </div>
    </div>
  );
}
