/** The tables of operators and their identity, as parts of {@link Tables}; `migrations/0006_operators.sql` is the truth. */
import type { ColumnType, Generated } from "kysely";
import type { TenantId } from "../kernel/ids.ts";

type Json<T> = ColumnType<T, string, string>;

export type OperatorRole = "agent" | "lead" | "admin" | "auditor";

/** What `recourse_app` sees, in the scope of a tenant. */
export interface OperatorTables {
  operators: {
    tenant_id: TenantId;
    id: string;
    name: string;
    email: string;
    role: OperatorRole;
    state: "active" | "disabled";
    demo: Generated<boolean>;
    version: Generated<number>;
    created_at_ms: number;
    updated_at_ms: number;
  };
  operator_invitations: {
    tenant_id: TenantId;
    id: string;
    kind: "join" | "reset";
    email: string;
    role: OperatorRole;
    code_hash: string;
    state: "open" | "accepted" | "withdrawn";
    invited_by: string;
    created_at_ms: number;
    expires_at_ms: number;
    accepted_at_ms: number | null;
  };
  operator_keys: {
    tenant_id: TenantId;
    id: string;
    name: string;
    secret_hash: string;
    scopes: Json<readonly string[]>;
    state: "active" | "revoked";
    created_by: string;
    created_at_ms: number;
    expires_at_ms: number | null;
    last_used_at_ms: number | null;
    revoked_at_ms: number | null;
  };
  tenant_settings: {
    tenant_id: TenantId;
    area: string;
    value: Json<unknown>;
    version: Generated<number>;
    updated_at_ms: number;
    updated_by: string;
  };
}

/** What `recourse_identity` sees, of all tenants: who somebody is, and where they work. */
export interface IdentityTables extends Pick<OperatorTables, "operators" | "operator_keys"> {
  identity_users: {
    id: string;
    name: string;
    email: string;
    email_verified: boolean;
    image: string | null;
    two_factor_enabled: Generated<boolean>;
    created_at: Date;
    updated_at: Date;
  };
  identity_sessions: {
    id: string;
    user_id: string;
    token: string;
    expires_at: Date;
    ip_address: string | null;
    user_agent: string | null;
    created_at: Date;
    updated_at: Date;
  };
  identity_accounts: {
    id: string;
    user_id: string;
    provider_id: string;
    account_id: string;
    password: string | null;
    created_at: Date;
    updated_at: Date;
  };
  identity_second_factors: { id: string; user_id: string; verified: boolean };
  identity_used_codes: { user_id: string; code_hash: string; used_at_ms: number };
  identity_attempts: { subject_hash: string; failures: number; since_ms: number };
}
