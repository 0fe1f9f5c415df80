/** A question as a customer would ask it: whether it would be answered, how surely, and from which passages. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { LANGUAGES, searchKnowledge } from "../../api/knowledge.ts";
import { useCommands } from "../../keys/use-commands.ts";
import { Badge, Button, Card, cannotShow, Empty, Failure, Skeleton } from "../../parts/base.tsx";
import { BOX } from "../../parts/form.tsx";
import { useSession } from "../../session.tsx";

interface AskingProps {
  /** The question in the address; null before the first. */
  readonly asked: string | null;
  readonly language: string;
  ask(question: string, language: string): void;
}

export function Asking({ asked, language, ask }: AskingProps) {
  const { me } = useSession();
  const [text, setText] = useState(asked ?? "");
  const field = useRef<HTMLInputElement>(null);
  const answer = useQuery({
    queryKey: ["knowledge", me.tenant, "search", asked, language],
    queryFn: ({ signal }) => searchKnowledge(asked ?? "", language === "" ? null : language, signal),
    enabled: asked !== null,
  });
  useEffect(() => field.current?.focus(), []);
  useCommands(
    [
      {
        id: "knowledge.ask",
        label: "Ask a question",
        keys: "/",
        group: "Knowledge",
        run: () => field.current?.focus(),
      },
    ],
    [],
  );
  return (
    <>
      <form
        className="flex flex-wrap gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") ask(text.trim(), language);
        }}
      >
        <input
          ref={field}
          value={text}
          aria-label="Question"
          placeholder="How much is shipping?"
          maxLength={8_000}
          className={`${BOX} flex-1 basis-64`}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
        <select
          aria-label="Language"
          value={language}
          className={`${BOX} !w-auto`}
          onChange={({ currentTarget }) => ask(text.trim(), currentTarget.value)}
        >
          <option value="">Any language</option>
          {LANGUAGES.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
        <Button type="submit" look="primary" disabled={text.trim() === ""}>
          Ask
        </Button>
      </form>
      {asked === null ? (
        <Empty title="Ask what a customer would ask">
          You see whether it would be answered, and the passages that the answer would rest on.
        </Empty>
      ) : answer.isPending ? (
        <Skeleton />
      ) : cannotShow(answer) ? (
        <Failure error={answer.error} retry={() => void answer.refetch()} />
      ) : (
        <>
          <Card
            title={
              answer.data.answered ? "It would be answered" : "Customers would be told that we do not know"
            }
            aside={
              <Badge tone={answer.data.answered ? "good" : "warn"}>
                {Math.round(answer.data.confidence * 100)} % sure
              </Badge>
            }
          >
            <p className="text-sm text-dim">
              {answer.data.doubts.length === 0
                ? "Nothing speaks against it."
                : `Speaks against it: ${answer.data.doubts.map((each) => each.replaceAll("_", " ")).join(", ")}.`}
            </p>
          </Card>
          {answer.data.passages.map((passage) => (
            <Card
              key={`${passage.document_id}-${passage.version}-${passage.headings.join("/")}-${passage.text}`}
              title={[passage.title, ...passage.headings].join(" › ")}
              aside={<span className="text-xs text-dim tabular-nums">{passage.score.toFixed(2)}</span>}
            >
              <p dir="auto" className="text-sm break-words whitespace-pre-wrap">
                {passage.text}
              </p>
              <p className="mt-1 text-xs text-dim">
                {passage.document_id} v{passage.version} · {passage.language} · from {passage.effective_from}
                {passage.clause_id !== null && ` · ${passage.clause_id}`}
              </p>
            </Card>
          ))}
        </>
      )}
    </>
  );
}
