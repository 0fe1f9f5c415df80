/** Two windows have written: both texts are shown, and the operator says which one is kept. */
import type { Draft } from "../../api/conversations.ts";
import { Button } from "../../parts/base.tsx";

interface OtherDraftProps {
  /** Null: it was sent or cleared there. */
  readonly other: Draft | null;
  keep(): Promise<void>;
  take(): void;
}

export function OtherDraft({ other, keep, take }: OtherDraftProps) {
  return (
    <div role="alert" className="rounded-lg border border-warn/60 bg-warn/10 p-2 text-sm">
      <p className="font-medium text-warn">
        {other === null
          ? "In another window this answer was sent or cleared."
          : "In another window you have written something else:"}
      </p>
      {other !== null && (
        <p dir="auto" className="mt-1 max-h-32 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
          {other.text}
        </p>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onClick={() => void keep()}>Keep what is written below</Button>
        <Button onClick={take}>{other === null ? "Clear it here too" : "Take this one"}</Button>
      </div>
    </div>
  );
}
