/**
 * Whether a mail's `From` may be believed to be a claim at all: DMARC, as the receiving server that we trust has found
 * it (`Authentication-Results`, RFC 8601). Anybody can write that header too, so that only the topmost one counts and
 * only under the name of our own server. Pure.
 */
export type Dmarc = "pass" | "fail" | "unknown";

export function dmarcOf(results: readonly string[], trustedServer: string | null): Dmarc {
  if (trustedServer === null) return "unknown";
  const [topmost = ""] = results;
  // Comments may say anything.
  const text = topmost.replace(/\([^()]*\)/g, " ");
  const [server = "", ...verdicts] = text.split(";");
  if (server.trim().split(/\s/)[0]?.toLowerCase() !== trustedServer.toLowerCase()) return "unknown";
  const verdict = verdicts.map((it) => /^\s*dmarc\s*=\s*(\w+)/i.exec(it)?.[1]?.toLowerCase()).find(Boolean);
  if (verdict === "pass") return "pass";
  return verdict === "fail" || verdict === "permerror" ? "fail" : "unknown";
}
