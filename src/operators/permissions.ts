/**
 * Room `operators`: the people of a merchant who work in Recourse, and what each of them may do. May import
 * all rooms but `channels` and `cli`.
 * Promises: who somebody is comes from a verified session or key only; what they may do is read from the
 * database at each request, so that a role that was taken away ends at once.
 *
 * This file: the one table of permissions. Pure. Every operator's route names the permission that it needs;
 * `channels/http/guard.ts` checks it, and nothing else decides who may call a route.
 */

/** From the one who may do least to the one who may do most; an auditor reads everything and changes nothing. */
export const ROLES = ["agent", "lead", "admin", "auditor"] as const;
export type Role = (typeof ROLES)[number];

interface PermissionEntry {
  readonly roles: readonly Role[];
  /** Whether a key for scripts may have it. What makes people or keys is for people only. */
  readonly forKeys: boolean;
  readonly why: string;
}

const entry = (roles: readonly Role[], why: string, forKeys = true): PermissionEntry => ({
  roles,
  forKeys,
  why,
});

const EVERYONE = ROLES;
const WORKING: readonly Role[] = ["agent", "lead", "admin"];
const LEADING: readonly Role[] = ["lead", "admin"];
const OVERSEEING: readonly Role[] = ["lead", "admin", "auditor"];
const ADMIN: readonly Role[] = ["admin"];

/** Which roles have which permission in a tenant. */
export const PERMISSIONS = {
  "self.read": entry(EVERYONE, "see who they are and where they work"),
  "reviews.read": entry(EVERYONE, "see the queue and each review"),
  "reviews.decide": entry(WORKING, "claim reviews and decide them, up to the second limit"),
  "reviews.decide_large": entry(LEADING, "decide above the second limit, or as the second pair of eyes"),
  "conversations.read": entry(EVERYONE, "read and search conversations"),
  "conversations.reply": entry(WORKING, "take over, answer, note, tag and hand back"),
  "conversations.assign": entry(LEADING, "give conversations to somebody else"),
  "canned_replies.edit": entry(LEADING, "write the texts that all use"),
  "actions.read": entry(EVERYONE, "see actions with their decisions and evidence"),
  "knowledge.read": entry(EVERYONE, "read and search documents"),
  "knowledge.edit": entry(LEADING, "publish and end documents"),
  "policies.read": entry(EVERYONE, "read the versions of the policy"),
  "policies.try": entry(OVERSEEING, "check a text and see what it would have decided"),
  "policies.publish": entry(LEADING, "publish a version for a later day, and withdraw one before its day"),
  "policies.publish_today": entry(ADMIN, "publish a version that decides about money at once"),
  "audit.read": entry(OVERSEEING, "read and export the audit log"),
  "kill_switch.on": entry(LEADING, "let nothing go out without a person"),
  "kill_switch.off": entry(ADMIN, "let the policy decide again what goes out without a person"),
  "insights.read": entry(OVERSEEING, "see how well it goes, in numbers"),
  "customers.export": entry(ADMIN, "make a customer's copy of everything that is stored of them"),
  "customers.erase": entry(ADMIN, "erase a customer, and see the list of erasures"),
  "settings.read": entry(OVERSEEING, "see what is set for the tenant"),
  "settings.edit": entry(ADMIN, "change what is set for the tenant"),
  "operators.read": entry(OVERSEEING, "see who works here, and with which role"),
  "operators.manage": entry(ADMIN, "invite people, change roles, end access", false),
  "api_keys.read": entry(["admin", "auditor"], "see which keys exist and when they were used"),
  "api_keys.manage": entry(ADMIN, "make keys and end them", false),
} as const satisfies Record<string, PermissionEntry>;

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as readonly Permission[];

export const isPermission = (text: string): text is Permission => Object.hasOwn(PERMISSIONS, text);

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);

/** What the role may do in its tenant. */
export function permissionsOf(role: Role): ReadonlySet<Permission> {
  return new Set(
    PERMISSION_NAMES.filter((name) => (PERMISSIONS[name].roles as readonly Role[]).includes(role)),
  );
}

/** What a key for scripts may be given. */
export const KEY_SCOPES: readonly Permission[] = PERMISSION_NAMES.filter((name) => PERMISSIONS[name].forKeys);
