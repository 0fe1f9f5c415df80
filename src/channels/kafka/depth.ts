/** How much lies in the topics: what a page or a person looks at. */
import { type Broker, groupOf, replayGroupOf, type Topics } from "./broker.ts";

export interface Depth {
  /** Lag: written and not finished by a worker. */
  readonly chat: number;
  readonly email: number;
  /** Put aside and not replayed. */
  readonly deadLetters: number;
}

/** Throws while the broker is away. */
export async function depthOf(broker: Broker, topics: Topics): Promise<Depth> {
  const [chat = 0, email = 0, deadLetters = 0] = await broker.waiting([
    { topic: topics.chat, group: groupOf(topics.chat) },
    { topic: topics.email, group: groupOf(topics.email) },
    { topic: topics.deadLetters, group: replayGroupOf(topics) },
  ]);
  return { chat, email, deadLetters };
}
