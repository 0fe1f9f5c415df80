/** Shapes of the API for teams, keys, settings, policies and the audit log. */
import { z } from "@hono/zod-openapi";
import { LIMITS } from "../../../kernel/limits.ts";
import { KEY_SCOPES, PERMISSION_NAMES, ROLES } from "../../../operators/permissions.ts";
import { AREA_NAMES } from "../../../operators/settings/shape.ts";
import { EXAMPLE } from "../schemas.ts";

export const SAMPLE = {
  operator: "opr_019a5f10-7c1e-7a53-9d0a-3f2b8c6d1e47",
  invitation: "inv_019a5f10-7c1e-7a53-9d0a-3f2b8c6d1e48",
  key: "key_019a5f10-7c1e-7a53-9d0a-3f2b8c6d1e49",
  at: EXAMPLE.at,
} as const;

const id = (example: string, what: string) => z.string().openapi({ description: what, example });
const instant = z.iso.datetime().openapi({ description: "RFC 3339, UTC.", example: SAMPLE.at });
const role = z.enum(ROLES).openapi("Role");
const permission = z.enum(PERMISSION_NAMES as [string, ...string[]]).openapi("Permission");
const scope = z.enum(KEY_SCOPES as unknown as [string, ...string[]]);
const emailAddress = z.email().max(254);

export const operatorParams = z.object({ operator_id: id(SAMPLE.operator, "Somebody of your team.") });
export const invitationParams = z.object({
  invitation_id: id(SAMPLE.invitation, "An invitation of your team."),
});
export const keyParams = z.object({ key_id: id(SAMPLE.key, "A key of your team.") });
export const areaParams = z.object({ area: z.enum(AREA_NAMES as [string, ...string[]]) });
export const policyWithdrawn = z.object({ withdrawn: z.string() }).openapi("PolicyWithdrawn");
export const versionParams = z.object({
  policy_version: z
    .string()
    .regex(/^[\w.+-]{1,100}$/)
    .openapi({ description: "A published version." }),
});

export const me = z
  .object({
    operator: z.string().openapi({ description: "Who decisions are recorded for." }),
    operator_id: z.string().nullable(),
    name: z.string(),
    by: z.enum(["session", "key", "token"]),
    tenant: z.string(),
    role: role.nullable(),
    permissions: z.array(permission),
    workplaces: z
      .array(z.object({ tenant: z.string(), name: z.string(), role }))
      .openapi({ description: "Where this person works; name one of them in `X-Recourse-Tenant`." }),
  })
  .openapi("Me");

export const member = z
  .object({
    operator_id: z.string(),
    name: z.string(),
    email: z.string(),
    role,
    state: z.enum(["active", "disabled"]),
    second_factor: z.boolean(),
    created_at: instant,
  })
  .openapi("TeamMember");
export const team = z.object({ operators: z.array(member) }).openapi("Team");
export const roleBody = z.strictObject({ role }).openapi("ChangeRole");
export const nothing = z.strictObject({}).openapi("Nothing");

export const invitation = z
  .object({
    invitation_id: z.string(),
    kind: z.enum(["join", "reset"]),
    email: z.string(),
    role,
    state: z.enum(["open", "accepted", "withdrawn", "expired"]),
    invited_by: z.string(),
    created_at: instant,
    expires_at: instant,
  })
  .openapi("Invitation");
export const invitations = z.object({ invitations: z.array(invitation) }).openapi("Invitations");
export const inviteBody = z.strictObject({ email: emailAddress, role }).openapi("Invite");
export const newInvitation = z
  .object({
    invitation,
    link: z.url().openapi({ description: "Works once. Shown this once: give it to the person yourself." }),
  })
  .openapi("NewInvitation");

export const apiKey = z
  .object({
    key_id: z.string(),
    name: z.string(),
    scopes: z.array(permission),
    state: z.enum(["active", "revoked", "expired"]),
    created_by: z.string(),
    created_at: instant,
    expires_at: instant.nullable(),
    last_used_at: instant.nullable(),
  })
  .openapi("ApiKey");
export const apiKeys = z
  .object({
    keys: z.array(apiKey),
    scopes: z.array(permission).openapi({ description: "What a key can be given." }),
  })
  .openapi("ApiKeys");
export const keyBody = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(60)
      .regex(/^[^\p{C}]+$/u, "must be one line"),
    scopes: z.array(scope).min(1).max(PERMISSION_NAMES.length),
    expires_in_days: z.int().min(1).max(3_650).optional(),
  })
  .openapi("NewApiKey");
export const createdKey = z
  .object({ api_key: apiKey, key: z.string().openapi({ description: "Shown this once." }) })
  .openapi("CreatedApiKey");

const area = z
  .object({
    area: z.enum(AREA_NAMES as [string, ...string[]]),
    value: z.looseObject({}).openapi({ description: "See docs/set-up.md for the fields of each area." }),
    version: z.int().openapi({ description: "0 while nothing was set." }),
    updated_at: instant.nullable(),
    updated_by: z.string().nullable(),
  })
  .openapi("SettingsArea");
export const settingsArea = area;
export const settings = z.object({ areas: z.array(area) }).openapi("Settings");
export const settingsBody = z
  .strictObject({
    value: z.looseObject({}),
    version: z.int().min(0).openapi({ description: "The version that you saw." }),
  })
  .openapi("ChangeSettings");

const decision = z.enum(["allow", "deny", "needs_approval"]);
const policyHeadShape = {
  policy_id: z.string(),
  version: z.string(),
  title: z.string(),
  effective_from: z.string(),
  governed_by: z.enum(["order_placed", "request_made"]),
  state: z.enum(["past", "current", "future"]),
  hash: z.string(),
  published_at: instant,
  published_by: z.string(),
};
export const policyList = z
  .object({
    policies: z.array(z.object(policyHeadShape).openapi("PolicyHead")),
    next_free_day: z.iso.date().openapi({
      description: "The shop's first day from tomorrow on with which no version begins yet.",
    }),
  })
  .openapi("Policies");
export const policyText = z
  .object({
    ...policyHeadShape,
    source: z.string(),
    clauses: z.array(
      z.object({
        clause_id: z.string(),
        title: z.string(),
        prose: z.string(),
        customer_text: z.string(),
        rules: z.array(z.string()),
      }),
    ),
  })
  .openapi("PolicyText");
export const differenceQuery = z.object({ from: z.string().max(100), to: z.string().max(100) });
export const policyDifference = z
  .object({
    from: z.string(),
    to: z.string(),
    clauses: z.array(
      z.object({
        clause_id: z.string(),
        kind: z.enum(["added", "removed", "changed"]),
        title: z.string(),
        parts: z.array(z.enum(["title", "prose", "customer", "rules"])),
      }),
    ),
    limits: z.array(
      z.object({ limit: z.string(), before: z.number().nullable(), after: z.number().nullable() }),
    ),
    lines: z.array(z.object({ kind: z.enum(["same", "removed", "added"]), text: z.string() })),
  })
  .openapi("PolicyDifference");
export const sourceBody = z
  .strictObject({
    source: z.string().openapi({ description: "The whole document, as in docs/policies.md." }),
  })
  .openapi("PolicySource");
export const policyCheck = z
  .object({
    valid: z.boolean(),
    faults: z.array(
      z.object({
        line: z.int(),
        column: z.int().nullable(),
        message: z.string(),
        fix: z.string(),
      }),
    ),
    version: z.string().nullable(),
    effective_from: z.string().nullable(),
  })
  .openapi("PolicyCheck");
export const previewBody = z
  .strictObject({ source: z.string(), last: z.int().min(1).max(LIMITS.previewDecisions).optional() })
  .openapi("PreviewPolicy");
export const policyPreview = z
  .object({
    decisions: z.int().openapi({ description: "How many were looked at." }),
    changed: z.array(
      z.object({
        action_id: z.string().nullable(),
        kind: z.string(),
        order_number: z.string(),
        amount: z.string(),
        state: z.string(),
        decided_at: instant,
        was: decision,
        was_clauses: z.array(z.string()),
        would_be: decision,
        would_be_clauses: z.array(z.string()),
      }),
    ),
  })
  .openapi("PolicyPreview");

const whole = z
  .string()
  .regex(/^\d{1,15}$/, "must be a whole number")
  .transform(Number);
export const auditSearchQuery = z.object({
  kind: z.string().max(100).optional().openapi({ description: "`operator.` finds all that begin so." }),
  subject: z.string().max(200).optional(),
  by: z.string().max(300).optional().openapi({ description: "Who did it: `by` of the entry's body." }),
  from: z.iso.datetime({ offset: true }).optional(),
  to: z.iso.datetime({ offset: true }).optional(),
  before_n: whole.optional().openapi({ type: "integer", description: "Entries before this number." }),
  limit: whole
    .pipe(z.int().min(1).max(LIMITS.auditPerPage))
    .optional()
    .openapi({ type: "integer", minimum: 1, maximum: LIMITS.auditPerPage }),
});
