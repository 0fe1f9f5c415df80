/** How operators sign in: the secret that signs their cookies, and the company's identity provider if there is one. */
import type { Faults, Reader } from "./configuration-reading.ts";
import type { SingleSignOn } from "./operators/identity/library.ts";

const SECRET_BYTES_MIN = 32;

export function readSignIn(from: {
  readonly read: Reader;
  readonly faults: Faults;
  readonly demo: boolean;
  readonly databaseUrl: string | null;
}): { readonly signInSecret: string | null; readonly singleSignOn: SingleSignOn | null } {
  const { read, faults } = from;
  const signInSecret = read.value("RECOURSE_SIGN_IN_SECRET", null);
  if (signInSecret !== null && Buffer.byteLength(signInSecret) < SECRET_BYTES_MIN) {
    faults.add(
      "RECOURSE_SIGN_IN_SECRET",
      `has fewer than ${SECRET_BYTES_MIN} bytes`,
      "Make one with `openssl rand -hex 32`.",
    );
  }
  if (signInSecret === null && from.databaseUrl !== null && !from.demo) {
    faults.add(
      "RECOURSE_SIGN_IN_SECRET",
      "is needed with DATABASE_URL: every process must know the sessions that another has opened",
      "Make one with `openssl rand -hex 32`, and give it to all processes.",
    );
  }
  const issuer = read.value("RECOURSE_OIDC_ISSUER", null);
  const clientId = read.value("RECOURSE_OIDC_CLIENT_ID", null);
  const clientSecret = read.value("RECOURSE_OIDC_CLIENT_SECRET", null);
  const name = read.value("RECOURSE_OIDC_NAME", "your company");
  if (issuer === null) {
    for (const [key, value] of [
      ["RECOURSE_OIDC_CLIENT_ID", clientId],
      ["RECOURSE_OIDC_CLIENT_SECRET", clientSecret],
    ] as const) {
      if (value !== null) {
        faults.add(key, "stands without RECOURSE_OIDC_ISSUER", "Set the issuer, or leave this out.");
      }
    }
    return { signInSecret, singleSignOn: null };
  }
  for (const [key, value] of [
    ["RECOURSE_OIDC_CLIENT_ID", clientId],
    ["RECOURSE_OIDC_CLIENT_SECRET", clientSecret],
  ] as const) {
    if (value === null) {
      faults.add(key, "is needed with RECOURSE_OIDC_ISSUER", "Register Recourse at the identity provider.");
    }
  }
  return {
    signInSecret,
    singleSignOn: { name, issuer, clientId: clientId ?? "", clientSecret: clientSecret ?? "" },
  };
}
