/** "Do you ship to Canada?", "How do I wash wool?": what the merchant's documents in force say, with where. Only reads. */
import type { Citation, Say } from "../agent.ts";
import type { Flow } from "../flow.ts";
import { askDocuments, type KnownPassage } from "../reads.ts";
import type { Turn } from "../turn.ts";
import { type Word, written } from "../understanding/words.ts";
import { otherLanguage, talkOf } from "../wording.ts";

const MOST_PASSAGES = 2;
const LONGEST_PASSAGE = 700;
/** A second passage is shown when it answers nearly as well. */
const NEARLY = 0.9;

/** What documents say to a question, or null when they do not answer it. */
export function* documentQuestion(turn: Turn, part: readonly Word[] | null): Flow<Say | null> {
  const query = part === null ? turn.view.focus.text : written(part);
  if (query === "") return null;
  const { view } = turn;
  const passages = yield* askDocuments(query, view.language);
  const [best] = passages;
  if (best === undefined) return null;
  const shown = passages
    .filter(
      ({ source, score }, index) =>
        index === 0 ||
        (source.documentId === best.source.documentId &&
          best.kind === "policy" &&
          score >= best.score * NEARLY),
    )
    .slice(0, MOST_PASSAGES);
  // It stands as it was written; who reads another language hears so.
  const inLanguage = otherLanguage(best.language, view);
  const talk = talkOf(view);
  return {
    type: "say",
    text:
      best.kind === "policy"
        ? `${talk.policySays(inLanguage)}\n\n${shown.map((each) => `${headOf(each)} ${cut(each.text)}`).join("\n\n")}`
        : `${inLanguage === null ? "" : `${talk.onlyHaveIt(inLanguage)}\n\n`}${cut(best.text)}`,
    citations: shown.map(citationOf),
    dialogue: null,
  };
}

export function citationOf({ source, kind, headings }: KnownPassage): Citation {
  return {
    documentId: source.documentId,
    ...(kind === "policy" ? { policyId: source.documentId } : {}),
    version: source.version,
    effectiveFrom: source.effectiveFrom,
    ...(source.clauseId === null ? {} : { clauseId: source.clauseId }),
    title: (headings.at(-1) ?? source.title).slice(0, 300),
  };
}

/** A heading that is a question stands for itself. */
function headOf({ headings, source }: KnownPassage): string {
  const title = headings.at(-1) ?? source.title;
  return /[?!.:]$/.test(title) ? title : `${title}:`;
}

/** Lines that an author broke for their own screen are one; paragraphs, lists and rows of tables stay. */
const unwrapped = (text: string): string =>
  text.split("\n").reduce((whole, line) => {
    const last = whole.slice(whole.lastIndexOf("\n") + 1);
    const isItsOwn =
      last.trim() === "" || /^\s*(?:$|[-*•]\s|\d+[.)]\s)/.test(line) || `${last}${line}`.includes(" | ");
    return `${whole}${isItsOwn ? "\n" : " "}${line}`;
  });

/** To the end of the last whole sentence that fits. */
function cut(text: string): string {
  const whole = unwrapped(text.trim());
  if (whole.length <= LONGEST_PASSAGE) return whole;
  const end = Math.max(whole.lastIndexOf(". ", LONGEST_PASSAGE), whole.lastIndexOf("\n", LONGEST_PASSAGE));
  return end > 0 ? whole.slice(0, end + 1).trim() : `${whole.slice(0, LONGEST_PASSAGE - 1)}…`;
}
