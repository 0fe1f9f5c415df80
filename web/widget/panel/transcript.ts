/** A conversation as text, for the customer to keep: who said what and when, and where it came from. Pure. */
import type { ChatState, Shown } from "./state.ts";
import type { Words } from "./words/words.ts";

export function transcriptOf({ messages, actions }: ChatState, words: Words, language: string): string {
  const when = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
  const said = messages.map((message) =>
    [
      `[${when.format(new Date(message.at))}] ${whoIs(message, words)}`,
      message.text,
      ...message.pictures.map(() => `(${words.picture})`),
      ...message.citations.map(({ title, version }) => `${words.source}: ${title} (v${version})`),
    ].join("\n"),
  );
  const done = actions.map(({ latest }) => `[${when.format(new Date(latest.at))}] ${latest.text}`);
  return `${[...said, ...done].join("\n\n")}\n`;
}

export const whoIs = ({ author }: Pick<Shown, "author">, words: Words): string =>
  ({ customer: words.you, operator: words.person, agent: words.agent, system: "" })[author];
