/**
 * What has changed on the server, as it says so: names of things, never their content. Whoever shows one of
 * them asks for it anew. Over a stream; where none gets through, everything is asked for again and again.
 */
import type { QueryClient } from "@tanstack/react-query";
import { currentTenant } from "./client.ts";

export type LiveState = "connecting" | "live" | "offline";

/** Which questions show a kind of thing; each begins with its name. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  review: ["reviews", "actions"],
  conversation: ["conversations", "actions"],
  canned_replies: ["canned-replies"],
};

/** How often everything is asked for while no stream gets through. */
const FALLBACK_MS = 5_000;

export function followChanges(queries: QueryClient, onState: (state: LiveState) => void): () => void {
  let source: EventSource | null = null;
  let fallback: ReturnType<typeof setInterval> | null = null;
  const refreshAll = () => void queries.invalidateQueries();
  const open = () => {
    const tenant = currentTenant();
    source = new EventSource(
      `/v1/operator/stream${tenant === null ? "" : `?tenant=${encodeURIComponent(tenant)}`}`,
    );
    source.onopen = () => {
      onState("live");
      if (fallback !== null) {
        clearInterval(fallback);
        fallback = null;
        // What changed meanwhile was not heard.
        refreshAll();
      }
    };
    source.addEventListener("reset", refreshAll);
    source.addEventListener("change", ({ data }) => {
      const { kind, conversation_id: conversation } = JSON.parse(data) as {
        kind: string;
        conversation_id: string | null;
      };
      for (const name of SHOWN_BY[kind] ?? []) void queries.invalidateQueries({ queryKey: [name] });
      if (conversation !== null) void queries.invalidateQueries({ queryKey: ["conversation", conversation] });
    });
    source.onerror = () => {
      onState(navigator.onLine ? "connecting" : "offline");
      fallback ??= setInterval(refreshAll, FALLBACK_MS);
      // A stream that was refused is not opened again by the browser.
      if (source?.readyState === EventSource.CLOSED) setTimeout(() => source !== null && open(), FALLBACK_MS);
    };
  };
  open();
  return () => {
    source?.close();
    source = null;
    if (fallback !== null) clearInterval(fallback);
  };
}
