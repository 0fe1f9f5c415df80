/** Parts of forms: a field with its name, tabs by number whose choice is in the address, and a question before what cannot be undone. */
import { type ReactNode, useId } from "react";
import { Button, Keys } from "./base.tsx";
import { Dialog } from "./dialog.tsx";

/** How fields look everywhere. */
export const BOX = "w-full min-w-0 rounded-lg border border-line bg-ground px-2 py-1.5 text-sm";

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  /** Draws the control with this ID. */
  readonly children: (id: string, hintId: string | undefined) => ReactNode;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children(id, hintId)}
      {hint !== undefined && (
        <p id={hintId} className="text-xs text-dim">
          {hint}
        </p>
      )}
    </div>
  );
}

interface TabsProps<Name extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly name: Name; readonly title: string }[];
  readonly current: Name;
  choose(name: Name): void;
}

export function Tabs<Name extends string>({ label, tabs, current, choose }: TabsProps<Name>) {
  return (
    <nav aria-label={label} className="flex flex-wrap gap-1">
      {tabs.map(({ name, title }, index) => (
        <button
          type="button"
          key={name}
          aria-pressed={name === current}
          aria-keyshortcuts={String(index + 1)}
          onClick={() => choose(name)}
          className={`rounded-lg px-2.5 py-1.5 text-sm ${name === current ? "bg-accent text-on-accent" : "text-dim hover:bg-raised"}`}
        >
          {title}
          <span className="ml-2 hidden lg:inline">
            <Keys keys={String(index + 1)} />
          </span>
        </button>
      ))}
    </nav>
  );
}

interface ConfirmProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly label: string;
  readonly isBusy: boolean;
  readonly isDangerous?: boolean;
  readonly isWide?: boolean;
  readonly children: ReactNode;
  confirm(): void;
  close(): void;
}

/** Asks once, and says what will happen. */
export function Confirm({
  title,
  isOpen,
  label,
  isBusy,
  isDangerous = false,
  isWide = false,
  children,
  confirm,
  close,
}: ConfirmProps) {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close} isWide={isWide}>
      <div className="flex flex-col gap-3 text-sm">{children}</div>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button look={isDangerous ? "danger" : "primary"} isBusy={isBusy} onClick={confirm}>
          {label}
        </Button>
        <Button look="bare" onClick={close}>
          Not now
        </Button>
      </div>
    </Dialog>
  );
}

/** A secret that is never shown again: to be copied now. */
export function Once({ title, text, close }: { title: string; text: string | null; close(): void }) {
  return (
    <Dialog title={title} isOpen={text !== null} onClose={close}>
      <p className="text-sm">It is shown this once. Copy it now, and give it only to whom it is for.</p>
      <input
        readOnly
        aria-label={title}
        value={text ?? ""}
        className={`${BOX} mt-2 font-mono`}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div className="mt-3 flex gap-2">
        <Button look="primary" onClick={() => void navigator.clipboard?.writeText(text ?? "")}>
          Copy
        </Button>
        <Button onClick={close}>I have it</Button>
      </div>
    </Dialog>
  );
}
