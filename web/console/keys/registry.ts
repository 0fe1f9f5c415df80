/**
 * Every key of the console in one place: who shows something registers what its keys do while it is there,
 * and the help, the palette and the handler read the same list. The newest registration of a key wins, so a
 * dialog takes over what lies under it.
 */

export interface Command {
  /** Unique: `review.approve`. */
  readonly id: string;
  readonly label: string;
  /** `a`, `shift+a`, `mod+k`, or two in a row: `g q`. None: in the palette only. */
  readonly keys?: string;
  /** Where it stands in the help. */
  readonly group: string;
  readonly isOff?: boolean;
  run(): void;
}

const layers: (readonly Command[])[] = [];
const listeners = new Set<() => void>();
let shown: readonly Command[] = [];

const changed = () => {
  const all = new Map<string, Command>();
  for (const layer of layers) for (const command of layer) all.set(command.id, command);
  shown = [...all.values()];
  for (const listener of listeners) listener();
};

/** Answers how to take them away again. */
export function register(commands: readonly Command[]): () => void {
  layers.push(commands);
  changed();
  return () => {
    const at = layers.indexOf(commands);
    if (at >= 0) layers.splice(at, 1);
    changed();
  };
}

export const commands = (): readonly Command[] => shown;
export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** `⌘` on Apple's machines, `Ctrl` elsewhere. */
const IS_APPLE = typeof navigator !== "undefined" && /mac|iphone|ipad/i.test(navigator.userAgent);

export const shownKeys = (keys: string): readonly string[] =>
  keys.split(" ").map((chord) =>
    chord
      .split("+")
      .map((key) => (key === "mod" ? (IS_APPLE ? "⌘" : "Ctrl") : (NAMES[key] ?? key.toUpperCase())))
      .join(IS_APPLE ? "" : "+"),
  );
const NAMES: Readonly<Record<string, string>> = {
  shift: "⇧",
  enter: "Enter",
  escape: "Esc",
  arrowdown: "↓",
  arrowup: "↑",
  space: "Space",
};

/** The key of an event as commands name it. */
export function chordOf(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">,
): string {
  const key = event.key === " " ? "space" : event.key.toLowerCase();
  // A sign that needs shift on some keyboards is named by itself.
  const isSign = key.length === 1 && !/[a-z0-9]/.test(key);
  return [
    ...(event.ctrlKey || event.metaKey ? ["mod"] : []),
    ...(event.altKey ? ["alt"] : []),
    ...(event.shiftKey && !isSign ? ["shift"] : []),
    key,
  ].join("+");
}

/** How long the second key of a pair may take. */
const PAIR_MS = 1_200;

/** Listens for keys until the answer is called. Keys that a field needs stay with the field. */
export function listen(target: Window): () => void {
  let first: { chord: string; atMs: number } | null = null;
  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing || event.defaultPrevented) return;
    const chord = chordOf(event);
    const inField =
      event.target instanceof HTMLElement &&
      (event.target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName));
    if (inField && !/mod\+|^escape$/.test(chord)) return;
    const pair = first !== null && event.timeStamp - first.atMs < PAIR_MS ? `${first.chord} ${chord}` : null;
    const usable = shown.filter(({ keys, isOff }) => keys !== undefined && isOff !== true);
    const found =
      usable.findLast(({ keys }) => keys === pair) ?? usable.findLast(({ keys }) => keys === chord);
    first = usable.some(({ keys }) => keys?.startsWith(`${chord} `))
      ? { chord, atMs: event.timeStamp }
      : null;
    if (found === undefined) return;
    event.preventDefault();
    first = null;
    found.run();
  };
  target.addEventListener("keydown", onKey);
  return () => target.removeEventListener("keydown", onKey);
}
