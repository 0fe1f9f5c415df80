/** Settings, people, invitations and keys as `/v1/operator` has them. */
import { ask } from "./client.ts";

export interface Area {
  readonly area: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
}
export const ROLES = ["agent", "lead", "admin", "auditor"] as const;
export interface Member {
  readonly operator_id: string;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly state: "active" | "disabled";
  readonly second_factor: boolean;
}
export interface Invitation {
  readonly invitation_id: string;
  readonly kind: "join" | "reset";
  readonly email: string;
  readonly role: string;
  readonly state: "open" | "accepted" | "withdrawn" | "expired";
  readonly invited_by: string;
  readonly expires_at: string;
}
export interface ApiKey {
  readonly key_id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly state: "active" | "revoked" | "expired";
  readonly created_by: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}
interface Link {
  readonly invitation: Invitation;
  /** Shown this once. */
  readonly link: string;
}

const AT = "/v1/operator";
const post = <T>(path: string, body: unknown = {}) => ask<T>(`${AT}${path}`, { method: "POST", body });

export const settingsAreas = (signal: AbortSignal) => ask<{ areas: Area[] }>(`${AT}/settings`, { signal });
export const changeArea = (area: string, value: unknown, version: number) =>
  post<Area>(`/settings/${area}`, { value, version });

export const teamList = (signal: AbortSignal) => ask<{ operators: Member[] }>(`${AT}/operators`, { signal });
export const changeRole = (id: string, role: string) => post<Member>(`/operators/${id}/role`, { role });
export type MemberChange = "disable" | "enable" | "reset-second-factor";
export const changeMember = (id: string, change: MemberChange) => post<Member>(`/operators/${id}/${change}`);
export const resetPassword = (id: string) => post<Link>(`/operators/${id}/reset-password`);

export const invitationList = (signal: AbortSignal) =>
  ask<{ invitations: Invitation[] }>(`${AT}/invitations`, { signal });
export const invite = (email: string, role: string) => post<Link>("/invitations", { email, role });
export const withdrawInvitation = (id: string) => post<Invitation>(`/invitations/${id}/withdraw`);

export const keyList = (signal: AbortSignal) =>
  ask<{ keys: ApiKey[]; scopes: string[] }>(`${AT}/keys`, { signal });
export const createKey = (name: string, scopes: readonly string[], days: number | null) =>
  post<{ api_key: ApiKey; key: string }>("/keys", {
    name,
    scopes,
    ...(days === null ? {} : { expires_in_days: days }),
  });
export const revokeKey = (id: string) => post<ApiKey>(`/keys/${id}/revoke`);
