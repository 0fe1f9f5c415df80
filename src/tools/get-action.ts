import { z } from "zod";
import { actionsOfCustomer, readAction, summary } from "../actions/ledger.ts";
import { ProblemError } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { ReadTool } from "./tool.ts";

const schema = z.strictObject({ action_id: z.string().max(64).optional() });

export const getAction: ReadTool<z.infer<typeof schema>> = {
  name: "get_action",
  description:
    "Refunds and returns of this customer with what may be said of each; one of them, or the latest.",
  schema,
  effect: "none",
  assurance: "email_verified",
  async read(context, parts, args) {
    const { scope } = context;
    const wanted = args.action_id;
    const rows = await parts.store.transact(scope, async (tx) => {
      if (wanted === undefined) return actionsOfCustomer(tx, scope.customerId, LIMITS.actionsInView);
      const row = await readAction(tx, wanted);
      return row === null || row.state === "denied" ? [] : [row];
    });
    if (wanted !== undefined && rows.length === 0) throw new ProblemError("not_found");
    return { actions: rows.map((row) => summary(row, context.language)) };
  },
};
