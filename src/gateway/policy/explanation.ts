/**
 * Why not, for a customer: the sentences of the clauses that decided, in the customer's language where the
 * policy has them in it, else as they were written, with the language they are in. Pure.
 */
import type { Language } from "../../kernel/language.ts";
import { wordsOf } from "../../wording/words.ts";
import type { DecidingClause, PolicyVersion, Verdict } from "./policy.ts";

export function explanationOf(
  { clauses }: Verdict,
  policy: Pick<PolicyVersion, "language" | "clauses">,
  language: Language,
): string {
  const { standing, clauseQuoted, inLanguage } = wordsOf(language).frame;
  const sentences: Readonly<Record<string, string>> = { ...standing };
  const told = ({ clauseId, customerText }: DecidingClause): string | undefined => {
    if (Object.hasOwn(sentences, clauseId)) return sentences[clauseId];
    if (language === policy.language) return customerText;
    return policy.clauses.find(({ id }) => id === clauseId)?.translations[language];
  };
  const texts = clauses.map(told);
  if (texts.every((text) => text !== undefined)) return texts.join(" ");
  // Half of an answer in another language would read as two: all of it is quoted.
  const written = clauses.map(({ customerText }) => customerText).join(" ");
  return clauseQuoted(written, inLanguage[policy.language]);
}
