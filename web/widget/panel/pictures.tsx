/** Pictures: made ready on the device before they are sent, and shown as they come back from the server. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Chat } from "./chat.ts";
import type { Attached } from "./client.ts";
import type { Words } from "./words/words.ts";

/** Sent as they are up to here; larger ones are made smaller, for a phone's link and for the server's limit. */
const AS_IT_IS_BYTES = 1_000_000;
const LONGEST_SIDE_PX = 2_048;
const TAKEN = /^image\/(?:jpeg|png|webp)$/;

/** Null: the browser does not know it as a picture. What else it shows (HEIC, AVIF, …) becomes JPEG. */
export async function prepared(file: Blob): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) return null;
  if (TAKEN.test(file.type) && file.size <= AS_IT_IS_BYTES) return file;
  const scale = Math.min(1, LONGEST_SIDE_PX / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const draw = canvas.getContext("2d");
  if (draw === null) return null;
  // JPEG knows nothing of transparency, and would make it black.
  draw.fillStyle = "#fff";
  draw.fillRect(0, 0, canvas.width, canvas.height);
  draw.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
}

/** Drawn, not linked: the host page's policy need not allow pictures of ours. */
export function Picture({ chat, picture, words }: { chat: Chat; picture: Attached; words: Words }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isLost, setLost] = useState(false);
  const { attachment_id: id, width, height } = picture;
  useEffect(() => {
    let isGone = false;
    chat
      .picture(id)
      .then(createImageBitmap)
      .then((bitmap) => {
        const box = canvas.current;
        if (isGone || box === null) return;
        [box.width, box.height] = [bitmap.width, bitmap.height];
        box.getContext("2d")?.drawImage(bitmap, 0, 0);
        bitmap.close();
      })
      .catch(() => setLost(true));
    return () => {
      isGone = true;
    };
  }, [chat, id]);
  return (
    <canvas
      ref={canvas}
      class={`picture ${isLost ? "lost" : ""}`}
      role="img"
      aria-label={words.picture}
      width={width}
      height={height}
    />
  );
}

/** What is chosen and not yet sent. */
export interface Chosen {
  readonly pictures: readonly Attached[];
  readonly isBusy: boolean;
  readonly problem: string | null;
}
export const NOTHING_CHOSEN: Chosen = { pictures: [], isBusy: false, problem: null };

export function Attach(props: { chat: Chat; words: Words; chosen: Chosen; choose(chosen: Chosen): void }) {
  const { chat, words, chosen, choose } = props;
  const input = useRef<HTMLInputElement>(null);
  const take = async (files: readonly File[]) => {
    let { pictures } = chosen;
    let problem: string | null = null;
    choose({ ...chosen, isBusy: true, problem: null });
    for (const file of files.slice(0, PICTURES_A_MESSAGE - pictures.length)) {
      const blob = await prepared(file);
      if (blob === null) {
        problem = words.pictureOnly;
        continue;
      }
      try {
        const added = await chat.attach(blob);
        if (!pictures.some((each) => each.attachment_id === added.attachment_id))
          pictures = [...pictures, added];
      } catch (error) {
        problem = (error as Error).message;
      }
    }
    choose({ pictures, isBusy: false, problem });
  };
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={({ currentTarget }) => {
          void take([...(currentTarget.files ?? [])]);
          currentTarget.value = "";
        }}
      />
      <button
        type="button"
        class="icon"
        aria-label={words.attach}
        aria-busy={chosen.isBusy}
        disabled={chosen.isBusy || chosen.pictures.length >= PICTURES_A_MESSAGE}
        onClick={() => input.current?.click()}
      >
        <svg
          viewBox="0 0 24 24"
          width="20"
          fill="none"
          stroke="currentColor"
          stroke-width="2"
          aria-hidden="true"
        >
          <path d="M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01" />
        </svg>
      </button>
    </>
  );
}

/** The server's own limit; tests/house/pages.test.ts holds both to the same number. */
export const PICTURES_A_MESSAGE = 4;

export function ChosenPictures(props: {
  chat: Chat;
  words: Words;
  chosen: Chosen;
  choose(chosen: Chosen): void;
}) {
  const { chat, words, chosen, choose } = props;
  return (
    <>
      {chosen.problem !== null && (
        <p class="notice bad" role="alert">
          {chosen.problem}
        </p>
      )}
      {chosen.pictures.length > 0 && (
        <div class="chosen">
          {chosen.pictures.map((picture) => (
            <span key={picture.attachment_id}>
              <Picture chat={chat} picture={picture} words={words} />
              <button
                type="button"
                aria-label={`${words.remove}: ${words.picture}`}
                onClick={() =>
                  choose({ ...chosen, pictures: chosen.pictures.filter((each) => each !== picture) })
                }
              >
                ×
              </button>
            </span>
          ))}
        </div>
      )}
    </>
  );
}
