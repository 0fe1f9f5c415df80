import { useEffect, useSyncExternalStore } from "react";
import { type Command, commands, register, subscribe } from "./registry.ts";

/** The commands are there while the component is. `when` says what they depend on. */
export function useCommands(list: readonly Command[], when: readonly unknown[]): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the caller says when the list is another
  useEffect(() => register(list), when);
}

export const useAllCommands = (): readonly Command[] => useSyncExternalStore(subscribe, commands);
