/** Customers whom nobody vouches for: their IDs have a prefix that no merchant's customer may have. Pure. */
import type { CustomerId } from "./ids.ts";

export const VISITOR_PREFIX = "visitor_";

export const isVisitor = (id: string): boolean => id.startsWith(VISITOR_PREFIX);

/** From 16 random bytes. */
export const visitorId = (bytes: Uint8Array): CustomerId =>
  `${VISITOR_PREFIX}${Buffer.from(bytes).toString("hex")}` as CustomerId;
