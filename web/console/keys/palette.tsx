/** The command palette: type a part of what you want, Enter does it. */
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { Keys } from "../parts/base.tsx";
import { Dialog } from "../parts/dialog.tsx";
import type { Command } from "./registry.ts";
import { useAllCommands } from "./use-commands.ts";

/** Letters in order, words' beginnings first. Lower is better; null does not fit. Pure. */
export function likeness(label: string, wanted: string): number | null {
  const text = label.toLowerCase();
  const query = wanted.toLowerCase().trim();
  if (query === "") return 0;
  const at = text.indexOf(query);
  if (at >= 0) return at === 0 || text[at - 1] === " " ? at : 100 + at;
  let from = 0;
  for (const letter of query.replaceAll(" ", "")) {
    from = text.indexOf(letter, from) + 1;
    if (from === 0) return null;
  }
  return 1_000 + from;
}

export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const all = useAllCommands();
  const [wanted, setWanted] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const found = useMemo(
    () =>
      all
        .filter(({ isOff }) => isOff !== true)
        .map((command) => ({ command, score: likeness(command.label, wanted) }))
        .filter((each): each is { command: Command; score: number } => each.score !== null)
        .sort((a, b) => a.score - b.score)
        .map(({ command }) => command),
    [all, wanted],
  );
  useEffect(() => {
    if (isOpen) {
      setWanted("");
      setAt(0);
    }
  }, [isOpen]);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    onClose();
    // Once the dialog has given the focus back.
    setTimeout(() => command.run(), 0);
  };
  return (
    <Dialog title="Commands" isOpen={isOpen} onClose={onClose}>
      <input
        autoFocus
        value={wanted}
        placeholder="What do you want to do?"
        aria-label="Command"
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[at] === undefined ? undefined : `${id}-${at}`}
        className="w-full rounded-lg border border-line bg-ground px-3 py-2"
        onChange={({ currentTarget }) => {
          setWanted(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(at + 1, found.length - 1));
          else if (event.key === "ArrowUp") setAt(Math.max(at - 1, 0));
          else if (event.key === "Enter") run(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <div
        id={id}
        role="listbox"
        aria-label="Commands"
        ref={list}
        className="mt-2 max-h-[46vh] overflow-y-auto"
      >
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
          <div
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            className={`flex cursor-pointer items-center justify-between rounded-lg px-3 py-2 text-sm ${index === at ? "bg-raised" : ""}`}
            onMouseMove={() => setAt(index)}
            onClick={() => run(command)}
          >
            {command.label}
            {command.keys !== undefined && <Keys keys={command.keys} />}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="p-3 text-sm text-dim">Nothing is called that.</p>}
    </Dialog>
  );
}
