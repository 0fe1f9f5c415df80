/** What a workflow works on: the view, the words that are meant for it, and what was said before. */
import type { RunView } from "./agent.ts";
import type { Memory } from "./memory.ts";
import type { Word } from "./understanding/words.ts";

export interface Turn {
  readonly view: RunView;
  readonly words: readonly Word[];
  /** Of these, where the wish itself is said, when it is known: items named there are the ones that are meant. */
  readonly core?: readonly Word[];
  readonly memory: Memory;
}
