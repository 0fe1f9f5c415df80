/** A dialog over the page: focus stays in it, Escape closes it, and focus goes back to where it was. */
import { Dialog as Base } from "@base-ui/react/dialog";
import type { ReactNode } from "react";

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly isWide?: boolean;
}

export function Dialog({ title, isOpen, onClose, children, isWide = false }: DialogProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup
          // What scrolls is reached by the keyboard too.
          tabIndex={0}
          className={`fixed top-[12vh] left-1/2 z-50 max-h-[76vh] -translate-x-1/2 overflow-y-auto rounded-2xl border border-line bg-surface p-5 shadow-2xl`}
          style={{ width: `min(${isWide ? 720 : 480}px, calc(100vw - 24px))` }}
        >
          <Base.Title className="mb-3 text-base font-semibold">{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
