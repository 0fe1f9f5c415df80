/** What is kept on the device, where the browser lets an embedded page keep something; else for as long as the page lives. */

export interface Pending {
  readonly id: string;
  readonly text: string;
  /** IDs of pictures that the server has already. */
  readonly attachments?: readonly string[];
  /** What the server will never take, with why. */
  readonly refused?: string;
}

/**
 * What a tab tells the others of the same person, with its value: what one tab keeps another may not be able to read
 * yet when the message comes.
 */
export type TabMessage =
  | { readonly outbox: readonly Pending[] }
  | { readonly conversation: string | null }
  /** The conversation, its ending and the score, as it is kept. */
  | { readonly rated: string };

/** What the browser would not keep. */
const memory = new Map<string, string>();

export const storage = {
  read(key: string): string | null {
    try {
      return memory.get(key) ?? localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  write(key: string, value: string | null): void {
    memory.delete(key);
    try {
      if (value === null) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      if (value !== null) memory.set(key, value);
    }
  },
  /** Of what the browser would not keep; the rest is the loader's to remove. */
  forget(): void {
    memory.clear();
  },
};

/** Messages that wait under this key; none when what is there is not ours. */
export function readOutbox(key: string): Pending[] {
  try {
    const kept = JSON.parse(storage.read(key) ?? "[]") as Pending[];
    return Array.isArray(kept)
      ? kept.filter((each) => typeof each?.id === "string" && typeof each.text === "string")
      : [];
  } catch {
    return [];
  }
}
