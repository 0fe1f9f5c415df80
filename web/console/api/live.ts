/**
 * What has changed on the server, as it says so: names of things, never their content. Whoever shows one of
 * them asks for it anew. Over a stream; where none gets through, everything is asked for again and again.
 */
import type { QueryClient } from "@tanstack/react-query";
import { currentTenant } from "./client.ts";
import { createRounds } from "./rounds.ts";

export type LiveState = "connecting" | "live" | "offline";

/** Which questions show a kind of thing; each begins with its name. */
const SHOWN_BY: Readonly<Record<string, readonly string[]>> = {
  review: ["reviews", "actions", "audit"],
  conversation: ["conversations", "actions", "audit"],
  canned_replies: ["canned-replies"],
  settings: ["settings", "audit"],
  policies: ["policies", "audit"],
  knowledge: ["knowledge", "audit"],
  team: ["team", "invitations", "api-keys", "audit"],
};

/** How often everything is asked for while no stream gets through. */
const FALLBACK_MS = 5_000;

/**
 * A page that nobody sees follows nothing: it takes none of the few connections that a browser has for one server, and
 * none of what the operator may ask. Seen again, it asks for everything once.
 */
export function followChanges(queries: QueryClient, onState: (state: LiveState) => void): () => void {
  let source: EventSource | null = null;
  let fallback: ReturnType<typeof setInterval> | null = null;
  let again: ReturnType<typeof setTimeout> | null = null;
  const rounds = createRounds((queryKey) => queries.invalidateQueries({ queryKey }));
  const refreshAll = () => rounds.add([]);
  const endFallback = () => {
    if (fallback !== null) clearInterval(fallback);
    fallback = null;
  };
  const close = () => {
    source?.close();
    source = null;
    if (again !== null) clearTimeout(again);
    again = null;
    endFallback();
  };
  const open = () => {
    close();
    const tenant = currentTenant();
    const stream = new EventSource(
      `/v1/operator/stream${tenant === null ? "" : `?tenant=${encodeURIComponent(tenant)}`}`,
    );
    source = stream;
    stream.onopen = () => {
      onState("live");
      if (fallback === null) return;
      endFallback();
      // What changed meanwhile was not heard.
      refreshAll();
    };
    stream.addEventListener("reset", refreshAll);
    stream.addEventListener("change", ({ data }) => {
      const { kind, conversation_id: conversation } = JSON.parse(data) as {
        kind: string;
        conversation_id: string | null;
      };
      for (const name of SHOWN_BY[kind] ?? []) rounds.add([name]);
      if (conversation !== null) rounds.add(["conversation", conversation]);
    });
    stream.onerror = () => {
      if (stream !== source) return;
      onState(navigator.onLine ? "connecting" : "offline");
      fallback ??= setInterval(refreshAll, FALLBACK_MS);
      // A stream that was refused is not opened again by the browser.
      if (stream.readyState === EventSource.CLOSED) again = setTimeout(reopen, FALLBACK_MS);
    };
  };
  /** As before, with everything asked for again and again until it gets through. */
  const reopen = () => {
    const wasFallback = fallback !== null;
    open();
    if (wasFallback) fallback = setInterval(refreshAll, FALLBACK_MS);
  };
  const onSeen = () => {
    if (document.visibilityState === "hidden") close();
    else if (source === null) open();
  };
  // A browser may take minutes to notice that an open stream is dead; it knows at once that it has no network.
  const onNetworkGone = () => {
    onState("offline");
    if (source !== null) fallback ??= setInterval(refreshAll, FALLBACK_MS);
  };
  const onNetworkBack = () => {
    onState("connecting");
    if (source !== null) reopen();
  };
  document.addEventListener("visibilitychange", onSeen);
  window.addEventListener("offline", onNetworkGone);
  window.addEventListener("online", onNetworkBack);
  onSeen();
  return () => {
    document.removeEventListener("visibilitychange", onSeen);
    window.removeEventListener("offline", onNetworkGone);
    window.removeEventListener("online", onNetworkBack);
    close();
    rounds.stop();
  };
}
