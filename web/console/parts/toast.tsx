/** Short words on what just happened, with what can still be done about it. One place for all of the console. */
import { Toast } from "@base-ui/react/toast";
import type { ReactNode } from "react";
import { Problem } from "../api/client.ts";

const manager = Toast.createToastManager();

export interface Notice {
  readonly title: string;
  readonly description?: string;
  readonly tone?: "plain" | "bad";
  /** Milliseconds; 0 stays until it is closed. */
  readonly lastsMs?: number;
  readonly action?: { readonly label: string; run(): void };
}

export function notify({ title, description, tone = "plain", lastsMs = 5_000, action }: Notice): string {
  return manager.add({
    title,
    ...(description === undefined ? {} : { description }),
    type: tone,
    timeout: lastsMs,
    ...(action === undefined ? {} : { actionProps: { children: action.label, onClick: action.run } }),
  });
}

export const withdraw = (id: string): void => manager.close(id);

/** The problem, and what to do next. */
export function notifyProblem(error: unknown): void {
  const next = error instanceof Problem ? error.next : null;
  notify({
    title: (error as Error).message,
    ...(next === null ? {} : { description: next }),
    tone: "bad",
    lastsMs: 10_000,
  });
}

export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} limit={4}>
      {children}
      <Toast.Portal>
        <Toast.Viewport // Never over what sends and decides, which is at the bottom or on the right.
          className="fixed top-14 right-4 z-60 flex lg:top-auto lg:right-auto lg:bottom-4 lg:left-4 w-[min(380px,calc(100vw-32px))] flex-col gap-2"
        >
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className={`rounded-xl border bg-surface p-3 text-sm shadow-lg ${toast.type === "bad" ? "border-bad/50" : "border-line"}`}
    >
      <div className="flex items-start gap-3">
        <div className="min-w-0 flex-1">
          <Toast.Title className={`font-medium ${toast.type === "bad" ? "text-bad" : ""}`} />
          <Toast.Description className="text-dim" />
        </div>
        {toast.actionProps !== undefined && (
          <Toast.Action className="rounded-lg border border-line px-2.5 py-1 font-medium hover:bg-raised" />
        )}
        <Toast.Close className="px-1 text-dim" aria-label="Close">
          ×
        </Toast.Close>
      </div>
    </Toast.Root>
  ));
}
