/** The API as an operator: which token, and what it means when it is refused. */
import { demoOperatorToken } from "../configuration.ts";
import { type Api, ApiProblem, createApi, fixedToken, serverUrl } from "./api.ts";
import { CliError, type CommandIo } from "./command.ts";

export const OPERATOR_OPTIONS = {
  url: { type: "string" },
  token: { type: "string" },
  tenant: { type: "string" },
} as const;

export const OPERATOR_HELP = `  --url URL        the server (RECOURSE_URL, or http://127.0.0.1:3000)
  --token TOKEN    an operator's key, rck_… (RECOURSE_OPERATOR_TOKEN, or the demo's token on this machine)
  --tenant NAME    whose token to use: RECOURSE_OPERATOR_TOKEN_<NAME>; in the demo, northwind unless stated`;

/**
 * The API with an operator's token: `--token`, the tenant's variable, the general one, or the demo's
 * known token, which is only ever sent to this machine.
 * @throws CliError when there is none
 */
export function operatorApi(
  values: {
    readonly url?: string | undefined;
    readonly token?: string | undefined;
    readonly tenant?: string | undefined;
  },
  io: Pick<CommandIo, "env" | "clock">,
): Api {
  const url = serverUrl(values.url, io.env);
  const { tenant } = values;
  const ofTenant =
    tenant === undefined
      ? undefined
      : io.env[`RECOURSE_OPERATOR_TOKEN_${tenant.toUpperCase().replaceAll("-", "_")}`];
  const token =
    values.token ??
    ofTenant ??
    // The general variable is the first tenant's: it is not what somebody asks for who names a tenant.
    (tenant === undefined ? io.env.RECOURSE_OPERATOR_TOKEN : undefined) ??
    (isThisMachine(url) ? demoOperatorToken(tenant ?? "northwind") : undefined);
  if (token === undefined) {
    throw new CliError(
      "No operator's token is known for this server.",
      "Make a key with `recourse operators key` or in the console; set RECOURSE_OPERATOR_TOKEN to it, or give it with --token.",
    );
  }
  return createApi({ url, clock: io.clock }).as(fixedToken(token));
}

function isThisMachine(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** A refused operator's token, with what to do; any other error as it is. */
export function operatorError(error: unknown): unknown {
  if (!(error instanceof ApiProblem) || (error.status !== 401 && error.status !== 403)) return error;
  return new CliError(
    "The server does not take this operator's token.",
    "Set RECOURSE_OPERATOR_TOKEN to a key whose scopes allow this; in the demo the server prints a token when it starts.",
  );
}
