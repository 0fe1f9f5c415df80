import { z } from "zod";
import type { ReadTool } from "./tool.ts";

const schema = z.strictObject({ topic: z.string().max(200).optional() });

export const getPolicy: ReadTool<z.infer<typeof schema>> = {
  name: "get_policy",
  description:
    "The clauses of the merchant's current returns and refunds policy, as customers may read them.",
  schema,
  effect: "none",
  assurance: "anonymous",
  async read(context, parts) {
    const policy = await parts.readPolicy(context);
    return {
      policyId: policy.id,
      version: policy.version,
      language: policy.language,
      clauses: policy.clauses.map((clause) => ({
        clauseId: clause.id,
        title: clause.title,
        text: clause.prose,
      })),
    };
  },
};
