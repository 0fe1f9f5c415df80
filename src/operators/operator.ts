/** Who acts for a merchant, as verified for one request. */
import type { OperatorId } from "../kernel/ids.ts";
import type { TenantScope } from "../kernel/scope.ts";
import type { Permission, Role } from "./permissions.ts";

export interface VerifiedOperator {
  readonly scope: TenantScope;
  /** Who decisions are recorded for: an email address, or `key:<name>`. */
  readonly operator: string;
  /** Null for a key or a token of the configuration. */
  readonly id: OperatorId | null;
  readonly name: string;
  /** Null for a key. */
  readonly role: Role | null;
  /** What they may do in this tenant, as of this request. */
  readonly permissions: ReadonlySet<Permission>;
  readonly by: "session" | "key" | "token";
}
