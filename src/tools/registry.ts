/** Every tool there is. A name that is not here does not exist for any agent. */
import { escalateToHuman } from "./escalate-to-human.ts";
import { getAction } from "./get-action.ts";
import { getOrderStatus } from "./get-order-status.ts";
import { getPolicy } from "./get-policy.ts";
import { initiateReturn } from "./initiate-return.ts";
import { listOrders } from "./list-orders.ts";
import { processRefund } from "./process-refund.ts";
import { searchKnowledge } from "./search-knowledge.ts";
import type { Tool } from "./tool.ts";

export const TOOLS: readonly Tool[] = [
  getOrderStatus,
  listOrders,
  initiateReturn,
  processRefund,
  getPolicy,
  searchKnowledge,
  getAction,
  escalateToHuman,
];

const BY_NAME = new Map(TOOLS.map((tool) => [tool.name, tool]));

export const toolNamed = (name: string): Tool | null => BY_NAME.get(name) ?? null;
