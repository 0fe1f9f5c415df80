/** Everything about people who work here: pages to sign in on, and the API for teams, keys and settings. */
import type { ServerState } from "../guard.ts";
import type { HttpParts } from "../parts.ts";
import type { Route } from "../route.ts";
import { accountRoutes } from "./account-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { joiningRoutes } from "./joining-routes.ts";
import { policyRoutes } from "./policy-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { signInRoutes } from "./sign-in-routes.ts";
import { teamRoutes } from "./team-routes.ts";

export function peopleRoutes(parts: HttpParts, state: ServerState): Route[] {
  const { operators } = parts;
  if (operators === undefined) return [];
  const tenantName = parts.tenantName ?? ((tenantId: string) => tenantId);
  const home = parts.web?.pages.includes("console") === true ? "/console" : "/account";
  return [
    ...signInRoutes(operators, state, home),
    ...joiningRoutes(operators, tenantName),
    ...accountRoutes(operators, tenantName, home),
    ...teamRoutes(operators, state, tenantName),
    ...settingsRoutes(operators.settings),
    ...policyRoutes(operators.policies),
    ...(parts.records === undefined ? [] : auditRoutes(parts.records, parts.checkpoints)),
  ];
}
