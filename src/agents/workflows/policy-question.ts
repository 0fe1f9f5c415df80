/**
 * "What is your return policy?": what the documents in force answer, else the published clauses that fit, as they
 * stand. Only reads.
 */
import type { Say } from "../agent.ts";
import type { Flow } from "../flow.ts";
import { readPolicy } from "../reads.ts";
import type { Turn } from "../turn.ts";
import { similarWord } from "../understanding/spelling.ts";
import { readWords } from "../understanding/words.ts";
import { otherLanguage, talkOf } from "../wording.ts";
import { documentQuestion } from "./document-question.ts";

const MOST_CLAUSES = 3;
const LONGEST_CLAUSE = 500;
const LONG_WORD = 5;

export function* policyQuestion(turn: Turn): Flow<Say> {
  const known = yield* documentQuestion(turn, turn.words);
  if (known !== null) return known;
  const { words, view } = turn;
  const talk = talkOf(view);
  const { policyId, version, language, clauses } = yield* readPolicy();
  if (clauses.length === 0) {
    return {
      type: "say",
      text: talk.noPolicyAtHand,
      quickReplies: [talk.buttons.person],
      dialogue: null,
    };
  }
  const asked = words.filter(
    ({ kind, text }) => kind === "word" && text.length >= LONG_WORD && text !== "policy",
  );
  const ranked = clauses
    .map((clause) => {
      const own = new Set(readWords(`${clause.title} ${clause.text}`).map(({ text }) => text));
      const hits = new Set(
        asked.flatMap(({ text }) => ([...own].some((it) => similarWord(it, text)) ? [text] : [])),
      );
      return { clause, hits: hits.size };
    })
    .sort((a, b) => b.hits - a.hits);
  const best = ranked[0]?.hits ?? 0;
  const shown = ranked
    .filter(({ hits }) => hits === best || hits > 1)
    .slice(0, MOST_CLAUSES)
    .map(({ clause }) => clause);
  return {
    type: "say",
    text: `${talk.policySays(otherLanguage(language, view))}\n\n${shown.map(({ title, text }) => `${title}: ${cut(text)}`).join("\n\n")}`,
    citations: shown.map(({ clauseId, title }) => ({ policyId, version, clauseId, title })),
    dialogue: null,
  };
}

/** To the end of the last whole sentence that fits. */
function cut(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= LONGEST_CLAUSE) return line;
  const end = line.lastIndexOf(". ", LONGEST_CLAUSE);
  return end > 0 ? line.slice(0, end + 1) : `${line.slice(0, LONGEST_CLAUSE - 1)}…`;
}
