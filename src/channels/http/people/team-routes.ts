/** The API for who works here: oneself, the team, invitations and keys. */
import { LIMITS } from "../../../kernel/limits.ts";
import type { NewInvitation } from "../../../operators/invitations.ts";
import type { Operators } from "../../../operators/operators.ts";
import { KEY_SCOPES, PERMISSION_NAMES, type Permission, type Role } from "../../../operators/permissions.ts";
import type { ServerState } from "../guard.ts";
import { type Route, route } from "../route.ts";
import * as shapes from "./shapes.ts";
import { SAMPLE } from "./shapes.ts";

const DAY_MS = 86_400_000;

const memberExample = {
  operator_id: SAMPLE.operator,
  name: "Otto Brandt",
  email: "otto@northwind.example",
  role: "agent",
  state: "active",
  second_factor: true,
  created_at: SAMPLE.at,
};
const invitationExample = {
  invitation_id: SAMPLE.invitation,
  kind: "join",
  email: "nora@northwind.example",
  role: "agent",
  state: "open",
  invited_by: "ada@northwind.example",
  created_at: SAMPLE.at,
  expires_at: SAMPLE.at,
};
const linkExample = {
  invitation: invitationExample,
  link: "https://support.example/invitation?code=northwind.inv_….secret",
};
const keyExample = {
  key_id: SAMPLE.key,
  name: "nightly report",
  scopes: ["audit.read"],
  state: "active",
  created_by: "ada@northwind.example",
  created_at: SAMPLE.at,
  expires_at: null,
  last_used_at: null,
};

export function teamRoutes(
  operators: Operators,
  state: ServerState,
  tenantName: (tenantId: string) => string,
): Route[] {
  const { access, team, invitations, keys } = operators;
  const withLink = ({ invitation, code }: NewInvitation) => ({
    invitation,
    link: `${state.baseUrl}/invitation?code=${encodeURIComponent(code)}`,
  });
  const change = (name: string, summary: string, description?: string) =>
    ({
      method: "post",
      path: `/v1/operator/operators/{operator_id}/${name}`,
      access: "operator",
      permission: "operators.manage",
      tag: "Team",
      summary,
      ...(description === undefined ? {} : { description }),
      params: shapes.operatorParams,
      body: shapes.nothing,
      bodyExample: {},
      answers: { 200: { description: "As they are now.", schema: shapes.member, example: memberExample } },
    }) as const;

  return [
    route(
      {
        method: "get",
        path: "/v1/operator/me",
        access: "operator",
        permission: "self.read",
        operationId: "getMe",
        tag: "Team",
        summary: "See who you are here, and what you may do",
        answers: {
          200: {
            description: "You.",
            schema: shapes.me,
            example: {
              operator: "otto@northwind.example",
              operator_id: SAMPLE.operator,
              name: "Otto Brandt",
              by: "session",
              tenant: "northwind",
              role: "agent",
              permissions: ["self.read", "reviews.read"],
              workplaces: [{ tenant: "northwind", name: "Northwind Outfitters", role: "agent" }],
            },
          },
        },
      },
      async ({ operator }) => {
        const places = operator.id === null ? [] : await access.workplaces(operator.id);
        return {
          status: 200,
          json: {
            operator: operator.operator,
            operator_id: operator.id,
            name: operator.name,
            by: operator.by,
            tenant: operator.scope.tenantId,
            role: operator.role,
            permissions: PERMISSION_NAMES.filter((name) => operator.permissions.has(name)),
            workplaces: places.map(({ tenantId, role }) => ({
              tenant: tenantId,
              name: tenantName(tenantId),
              role,
            })),
          },
        };
      },
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/operators",
        access: "operator",
        permission: "operators.read",
        operationId: "listOperators",
        tag: "Team",
        summary: "List who works for the tenant",
        answers: {
          200: { description: "By name.", schema: shapes.team, example: { operators: [memberExample] } },
        },
      },
      async ({ operator }) => ({ status: 200, json: { operators: await team.list(operator.scope) } }),
    ),
    route(
      {
        ...change("role", "Change somebody's role", "Takes effect with their next request."),
        operationId: "changeRole",
        body: shapes.roleBody,
        bodyExample: { role: "lead" },
        problems: ["last_admin"],
      },
      async ({ operator, params, body }) => ({
        status: 200,
        json: await team.setRole(operator.scope, params.operator_id, body.role as Role, operator.operator),
      }),
    ),
    route(
      {
        ...change("disable", "End somebody's access", "Takes effect with their next request."),
        operationId: "disableOperator",
        problems: ["last_admin"],
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await team.setState(operator.scope, params.operator_id, "disabled", operator.operator),
      }),
    ),
    route(
      { ...change("enable", "Give somebody access again, in their old role"), operationId: "enableOperator" },
      async ({ operator, params }) => ({
        status: 200,
        json: await team.setState(operator.scope, params.operator_id, "active", operator.operator),
      }),
    ),
    route(
      {
        ...change(
          "reset-second-factor",
          "Remove somebody's second factor",
          "For whoever lost their app and their recovery codes. All their sessions end.",
        ),
        operationId: "resetSecondFactor",
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await team.resetSecondFactor(operator.scope, params.operator_id, operator.operator),
      }),
    ),
    route(
      {
        ...change(
          "reset-password",
          "Make a link with which somebody sets a new password",
          "Their second factor is removed and all their sessions end when they use it.",
        ),
        operationId: "resetPassword",
        answers: {
          201: { description: "The link.", schema: shapes.newInvitation, example: linkExample },
        },
      },
      async ({ operator, params }) => ({
        status: 201,
        json: withLink(await invitations.reset(operator.scope, params.operator_id, operator.operator)),
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/invitations",
        access: "operator",
        permission: "operators.read",
        operationId: "listInvitations",
        tag: "Team",
        summary: "List invitations, the newest first",
        answers: {
          200: {
            description: "Invitations.",
            schema: shapes.invitations,
            example: { invitations: [invitationExample] },
          },
        },
      },
      async ({ operator }) => ({
        status: 200,
        json: { invitations: await invitations.list(operator.scope) },
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/invitations",
        access: "operator",
        permission: "operators.manage",
        operationId: "invite",
        tag: "Team",
        summary: "Invite somebody",
        description: `The link works once, for ${LIMITS.invitationTtlMs / DAY_MS} days. An open one for the same address stops to work.`,
        body: shapes.inviteBody,
        bodyExample: { email: "nora@northwind.example", role: "agent" },
        answers: {
          201: { description: "Invited.", schema: shapes.newInvitation, example: linkExample },
        },
        problems: ["operator_exists"],
      },
      async ({ operator, body }) => ({
        status: 201,
        json: withLink(
          await invitations.invite(operator.scope, {
            email: body.email,
            role: body.role as Role,
            by: operator.operator,
          }),
        ),
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/invitations/{invitation_id}/withdraw",
        access: "operator",
        permission: "operators.manage",
        operationId: "withdrawInvitation",
        tag: "Team",
        summary: "Withdraw an open invitation",
        params: shapes.invitationParams,
        body: shapes.nothing,
        bodyExample: {},
        answers: {
          200: { description: "Withdrawn.", schema: shapes.invitation, example: invitationExample },
        },
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await invitations.withdraw(operator.scope, params.invitation_id, operator.operator),
      }),
    ),
    route(
      {
        method: "get",
        path: "/v1/operator/keys",
        access: "operator",
        permission: "api_keys.read",
        operationId: "listKeys",
        tag: "Team",
        summary: "List the keys for scripts, the newest first",
        answers: {
          200: {
            description: "Keys, without their secrets: nobody has those but their scripts.",
            schema: shapes.apiKeys,
            example: { keys: [keyExample], scopes: ["audit.read"] },
          },
        },
      },
      async ({ operator }) => ({
        status: 200,
        json: { keys: await keys.list(operator.scope), scopes: KEY_SCOPES },
      }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/keys",
        access: "operator",
        permission: "api_keys.manage",
        operationId: "createKey",
        tag: "Team",
        summary: "Make a key for a script",
        body: shapes.keyBody,
        bodyExample: { name: "nightly report", scopes: ["audit.read"], expires_in_days: 365 },
        answers: {
          201: {
            description: "Made.",
            schema: shapes.createdKey,
            example: { api_key: keyExample, key: "rck_019a5f107c1e7a539d0a3f2b8c6d1e49_…" },
          },
        },
      },
      async ({ operator, body }) => {
        const { apiKey, key } = await keys.create(operator.scope, {
          name: body.name,
          scopes: body.scopes as Permission[],
          expiresInMs: body.expires_in_days === undefined ? null : body.expires_in_days * DAY_MS,
          by: operator.operator,
          having: operator.permissions,
        });
        return { status: 201, json: { api_key: apiKey, key } };
      },
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/keys/{key_id}/revoke",
        access: "operator",
        permission: "api_keys.manage",
        operationId: "revokeKey",
        tag: "Team",
        summary: "End a key, at once",
        params: shapes.keyParams,
        body: shapes.nothing,
        bodyExample: {},
        answers: {
          200: { description: "It is worth nothing any more.", schema: shapes.apiKey, example: keyExample },
        },
      },
      async ({ operator, params }) => ({
        status: 200,
        json: await keys.revoke(operator.scope, params.key_id, operator.operator),
      }),
    ),
  ];
}
