/** Asked once when a conversation has ended: five steps and a word, then thanks. */
import { useState } from "preact/hooks";
import type { Chat } from "./chat.ts";
import type { ChatState } from "./state.ts";
import type { Words } from "./words/words.ts";

export function Rating(props: { chat: Chat; state: ChatState; words: Words; goOn(): void }) {
  const { chat, state, words, goOn } = props;
  const [score, setScore] = useState(0);
  const [comment, setComment] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const next = (
    <div class="row">
      <button type="button" onClick={() => chat.startOver()}>
        {words.startOver}
      </button>
      <button type="button" onClick={goOn}>
        {words.goOn}
      </button>
    </div>
  );
  if (state.rated !== null) {
    return (
      <div class="csat" role="status">
        <span>{words.rated}</span>
        {next}
      </div>
    );
  }
  return (
    <div class="csat">
      <span>{words.ended}</span>
      <fieldset>
        <legend>{words.rate}</legend>
        {[1, 2, 3, 4, 5].map((value) => (
          <label key={value}>
            <input
              type="radio"
              name="recourse-score"
              checked={score === value}
              aria-label={words.stars(value)}
              onChange={() => setScore(value)}
            />
            {value}
          </label>
        ))}
      </fieldset>
      {score > 0 && (
        <textarea
          rows={2}
          maxLength={1_000}
          value={comment}
          placeholder={words.comment}
          aria-label={words.comment}
          onInput={({ currentTarget }) => setComment(currentTarget.value)}
        />
      )}
      {problem !== null && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
      <div class="row">
        <button
          type="button"
          class="primary"
          disabled={score === 0}
          onClick={() => {
            setProblem(null);
            chat
              .rate(score, comment.trim() === "" ? null : comment.trim())
              .catch((error: Error) => setProblem(error.message));
          }}
        >
          {words.sendRating}
        </button>
      </div>
      {next}
    </div>
  );
}
