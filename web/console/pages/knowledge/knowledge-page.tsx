/** Knowledge: the documents that answers come from, what is held back and why, and what a customer would be answered. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type DocumentItem, documentList, releaseDocument, removeDocument } from "../../api/knowledge.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Badge, Button, cannotShow, Empty, Failure, Skeleton, type Tone } from "../../parts/base.tsx";
import { Confirm, Tabs } from "../../parts/form.tsx";
import { Instant } from "../../parts/time.tsx";
import { notify, notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";
import { counted, whoText } from "../../words.ts";
import { AddDocument } from "./add.tsx";
import { Asking } from "./asking.tsx";

const VIEWS = [
  { name: "documents", title: "Documents" },
  { name: "search", title: "Ask as a customer" },
  { name: "add", title: "Add" },
] as const;
const STATES: Readonly<Record<DocumentItem["state"], { text: string; tone: Tone }>> = {
  current: { text: "Answers", tone: "good" },
  future: { text: "To come", tone: "accent" },
  held: { text: "Held", tone: "warn" },
  superseded: { text: "Replaced", tone: "plain" },
  ended: { text: "Ended", tone: "plain" },
};

export function KnowledgePage() {
  const { may } = useSession();
  const search = useSearch({ from: "/knowledge" }) as { view?: string; q?: string; language?: string };
  const navigate = useNavigate({ from: "/knowledge" });
  const views = VIEWS.filter(({ name }) => name !== "add" || may("knowledge.edit"));
  const view = views.find(({ name }) => name === search.view)?.name ?? "documents";
  const go = (name: string) => void navigate({ search: { view: name } as never });
  useCommands(
    views.map(({ name, title }, index) => ({
      id: `knowledge.${name}`,
      label: title,
      keys: String(index + 1),
      group: "Knowledge",
      run: () => go(name),
    })),
    [may, navigate],
  );
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-4xl flex-col gap-3 p-3">
        <header className="flex flex-wrap items-center gap-3">
          <h1 className="text-lg font-semibold">Knowledge</h1>
          <Tabs label="View" tabs={views} current={view} choose={go} />
        </header>
        {view === "search" ? (
          <Asking
            asked={search.q ?? null}
            language={search.language ?? ""}
            ask={(q, language) =>
              void navigate({
                search: { view: "search", q, ...(language === "" ? {} : { language }) } as never,
              })
            }
          />
        ) : view === "add" ? (
          <AddDocument done={() => go("documents")} />
        ) : (
          <Documents />
        )}
      </div>
    </div>
  );
}

function Documents() {
  const { me, may } = useSession();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ what: "release" | "remove"; document: DocumentItem } | null>(null);
  const list = useQuery({
    queryKey: ["knowledge", me.tenant],
    queryFn: ({ signal }) => documentList(signal),
  });
  const act = useMutation({
    mutationFn: async ({ what, document }: NonNullable<typeof asked>) => {
      if (what === "release") await releaseDocument(document);
      else await removeDocument(document);
    },
    onSuccess: (_, { what, document }) => {
      setAsked(null);
      void queries.invalidateQueries({ queryKey: ["knowledge"] });
      notify({ title: `${document.title} is ${what === "release" ? "released" : "removed"}` });
    },
    onError: notifyProblem,
  });
  if (list.isPending) return <Skeleton lines={6} />;
  if (cannotShow(list)) return <Failure error={list.error} retry={() => void list.refetch()} />;
  const { documents } = list.data;
  // What waits for a person comes first.
  const sorted = documents.toSorted((a, b) => Number(b.state === "held") - Number(a.state === "held"));
  return (
    <>
      {documents.length === 0 ? (
        <Empty title="No documents yet">
          Without them customers are told that we do not know. Add what your shop says about shipping, returns
          and products.
        </Empty>
      ) : (
        <ul className="overflow-hidden rounded-xl border border-line bg-surface">
          {sorted.map((document) => (
            <li
              key={`${document.document_id} ${document.version} ${document.language}`}
              className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2 last:border-b-0"
            >
              <div className="min-w-0 flex-1 basis-64">
                <p className="flex flex-wrap items-center gap-2 text-sm">
                  <span dir="auto" className="font-medium">
                    {document.title}
                  </span>
                  <Badge tone={STATES[document.state].tone}>{STATES[document.state].text}</Badge>
                  {document.audience === "operator" && <Badge>operators only</Badge>}
                </p>
                <p className="text-xs text-dim">
                  {document.document_id} · version {document.version} · {document.language} ·{" "}
                  {document.kind.replaceAll("_", " ")} · {counted(document.passages, "passage")}
                </p>
                <p className="text-xs text-dim">
                  From <Instant at={document.effective_from} />
                  {document.effective_until !== null && (
                    <>
                      {" until "}
                      <Instant at={document.effective_until} />
                    </>
                  )}
                  , by {whoText(document.published_by)}
                </p>
                {document.state === "held" && <HeldFor why={document.held_for} />}
              </div>
              {document.is_policy ? (
                <p className="max-w-48 text-xs text-dim">
                  The policy's own text.{" "}
                  <Link className="underline" to="/policies" search={{ version: document.version }}>
                    Another version
                  </Link>{" "}
                  replaces it.
                </p>
              ) : (
                may("knowledge.edit") && (
                  <div className="flex gap-2">
                    {document.state === "held" && (
                      <Button onClick={() => setAsked({ what: "release", document })}>Release …</Button>
                    )}
                    <Button look="danger" onClick={() => setAsked({ what: "remove", document })}>
                      Remove …
                    </Button>
                  </div>
                )
              )}
            </li>
          ))}
        </ul>
      )}
      <Confirm
        title={`${asked?.what === "release" ? "Release" : "Remove"} ${asked?.document.title ?? ""}, version ${asked?.document.version ?? ""}?`}
        label={asked?.what === "release" ? "Release" : "Remove"}
        isOpen={asked !== null}
        isBusy={act.isPending}
        isDangerous={asked?.what === "remove"}
        confirm={() => asked !== null && act.mutate(asked)}
        close={() => setAsked(null)}
      >
        {asked?.what === "release" ? (
          <>
            <p>Customers are answered from it from now on.</p>
            <HeldFor why={asked.document.held_for} />
          </>
        ) : (
          <p>
            Its passages are deleted. If it answers now, an older version does not come back: it leaves a gap.
          </p>
        )}
      </Confirm>
    </>
  );
}

export function HeldFor({ why }: { why: readonly string[] }) {
  return (
    <div className="mt-1 text-xs text-warn">
      <p className="font-medium">Held until somebody has looked at it:</p>
      <ul className="list-disc pl-5">
        {why.map((each) => (
          <li key={each} dir="auto" className="break-words">
            {each}
          </li>
        ))}
      </ul>
    </div>
  );
}
