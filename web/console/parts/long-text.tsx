/** What somebody wrote, as text and nothing else; of very long ones the beginning, until all of it is asked for. */
import { useState } from "react";

/** What a screen or two hold: a message may be of a megabyte, and a list of such is slow to lay out. */
const SHOWN_CHARS = 4_000;

export function LongText({ text, className = "" }: { text: string; className?: string }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && text.length > SHOWN_CHARS;
  return (
    <div dir="auto" className={`break-words whitespace-pre-wrap ${className}`}>
      {isCut ? text.slice(0, SHOWN_CHARS).toWellFormed() : text}
      {isCut && (
        <>
          {"… "}
          <button type="button" className="underline" onClick={() => setWhole(true)}>
            Show all {text.length.toLocaleString("en")} characters
          </button>
        </>
      )}
    </div>
  );
}
