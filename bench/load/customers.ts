/**
 * A conversation as its customer has it: says what comes next, waits until it is answered, and comes again with the
 * same message when it is not known to have been taken. What was accepted is on record here; the checks compare it
 * with the database.
 */
import type { Talk } from "./talks.ts";

/** One message that the server said it has. */
export interface Accepted {
  /** In a chat: the client's own ID. By mail: its Message-ID. */
  readonly id: string;
  readonly channel: "chat" | "email";
  readonly tenant: string;
  /** Null by mail: the customer does not know it. */
  readonly conversation: string | null;
  readonly talk: Talk;
  /** In the order in which this customer sent it. */
  readonly n: number;
}

/** Answers that customers waited for, from acceptance (or the time it was due, in an open loop) to the answer. */
export interface Measured {
  readonly chatMs: number[];
  readonly mailMs: number[];
}

export interface Book {
  readonly accepted: Accepted[];
  readonly measured: Measured;
  /** Messages that were not answered in time; what became of them is found by the checks. */
  readonly slow: string[];
  /** Requests that were repeated because the server was not there. */
  repeated: number;
}

export interface Conversation {
  /** How many messages the next exchange has; 0 when all has been said. */
  readonly left: number;
  /** One exchange: answers once it has been answered. @param dueMs when it should have begun, in an open loop */
  next(dueMs: number | null): Promise<void>;
  close(): void;
}

export const now = (): number => performance.now();
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** So long a customer comes again with what is not known to be accepted, and waits for an answer. */
export const PATIENCE_MS = 120_000;
const RETRY_MS = 250;

/** Tries until it works: the server may be starting again. */
export async function insist<T>(book: Book, attempt: () => Promise<T>): Promise<T> {
  const endMs = now() + PATIENCE_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (now() > endMs || error instanceof Refused) throw error;
      book.repeated += 1;
      await pause(RETRY_MS);
    }
  }
}

/** 408: the machine was too busy for the body to arrive. 429: all customers of a load share one address. */
export const comesAgain = (status: number): boolean => status >= 500 || status === 408 || status === 429;

/** An answer that would be the same next time. */
export class Refused extends Error {
  override readonly name = "Refused";
}
