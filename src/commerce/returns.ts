/** Port: returns in the shop system. Creating is idempotent by key: the same key answers with the same return. */
import type { CustomerScope } from "../kernel/scope.ts";
import type { ShopReturn } from "./orders.ts";

export interface NewReturn {
  readonly orderId: string;
  readonly reason: string;
  readonly items: readonly { readonly lineItemId: string; readonly quantity: number }[];
  readonly idempotencyKey: string;
}

export type CreateReturnOutcome =
  | { readonly kind: "created"; readonly shopReturn: ShopReturn }
  /** The shop said no, for good: nothing was created. */
  | { readonly kind: "refused"; readonly code: string; readonly message: string }
  /** No answer, or one that says nothing about whether it was created. */
  | { readonly kind: "uncertain"; readonly cause: string };

export interface Returns {
  create(scope: CustomerScope, wanted: NewReturn, signal?: AbortSignal): Promise<CreateReturnOutcome>;
  /**
   * The return that was created under this key, or null when the shop has none.
   * @throws ProblemError `shop_unavailable`
   */
  findByKey(
    scope: CustomerScope,
    orderId: string,
    idempotencyKey: string,
    signal?: AbortSignal,
  ): Promise<ShopReturn | null>;
}
