/**
 * What has changed on the server, as it says so: names of things, never their content. Whoever shows one of
 * them asks for it anew. Over a stream; where none gets through, everything is asked for again and again.
 */
import type { QueryClient } from "@tanstack/react-query";
import { currentTenant } from "./client.ts";

export type LiveState = "connecting" | "live" | "offline";

/** How often everything is asked for while no stream gets through. */
const FALLBACK_MS = 5_000;

/** Query keys begin with the kind that an invalidation names: `["reviews", …]`. */
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
    source.onmessage = ({ data }) => {
      try {
        const { kind, id } = JSON.parse(data) as { kind?: string; id?: string };
        if (kind === undefined) return;
        void queries.invalidateQueries({ queryKey: [kind] });
        if (id !== undefined) void queries.invalidateQueries({ queryKey: [kind, id] });
      } catch {
        refreshAll();
      }
    };
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
