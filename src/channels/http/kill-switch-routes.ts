/** The kill switch: a lead can stop everything that goes out without a person; an admin lets it go on. */
import { z } from "@hono/zod-openapi";
import { ProblemError } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import type { KillSwitch } from "../../operators/kill-switch.ts";
import { type Route, route } from "./route.ts";
import { EXAMPLE } from "./schemas.ts";
import type { VerifiedOperator } from "./tokens.ts";

const state = z.object({
  on: z.boolean(),
  changed_by: z.string().nullable(),
  changed_at: z.iso.datetime().nullable(),
  reason: z.string().nullable(),
});
const both = z.object({ tenant: state, everywhere: state }).openapi("KillSwitch");
const off = { on: false, changed_by: null, changed_at: null, reason: null };
const example = {
  tenant: { on: true, changed_by: "olivia@northwind.example", changed_at: EXAMPLE.at, reason: "odd refunds" },
  everywhere: off,
};
const body = z.strictObject({
  reason: z.string().trim().min(1).max(LIMITS.noteChars),
  everywhere: z
    .boolean()
    .optional()
    .openapi({ description: "For all tenants: with a token of the configuration only." }),
});

export function killSwitchRoutes(killSwitch: KillSwitch): Route[] {
  const set = async (
    operator: VerifiedOperator,
    on: boolean,
    { reason, everywhere = false }: z.output<typeof body>,
  ) => {
    // Who runs the installation has such a token; people and keys belong to one tenant.
    if (everywhere && operator.by !== "token") {
      throw new ProblemError("forbidden", "All tenants are stopped with a token of the configuration only.");
    }
    const wanted = { on, reason, everywhere, by: operator.operator };
    return { status: 200, json: await killSwitch.set(operator.scope, wanted) };
  };
  const answers = { 200: { description: "As it is now.", schema: both, example } };
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/kill-switch",
        access: "operator",
        permission: "self.read",
        operationId: "readKillSwitch",
        tag: "Operators",
        summary: "See whether anything goes out without a person",
        answers,
      },
      async ({ operator }) => ({ status: 200, json: await killSwitch.read(operator.scope) }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/kill-switch/on",
        access: "operator",
        permission: "kill_switch.on",
        operationId: "turnKillSwitchOn",
        tag: "Operators",
        summary: "Let nothing go out without a person, from the next decision on",
        body,
        bodyExample: { reason: "odd refunds" },
        answers,
      },
      ({ operator, body: wanted }) => set(operator, true, wanted),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/kill-switch/off",
        access: "operator",
        permission: "kill_switch.off",
        operationId: "turnKillSwitchOff",
        tag: "Operators",
        summary: "Let the policy decide again what goes out without a person",
        body,
        bodyExample: { reason: "the policy is corrected" },
        answers,
      },
      ({ operator, body: wanted }) => set(operator, false, wanted),
    ),
  ];
}
