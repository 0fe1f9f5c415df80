import { z } from "zod";
import type { HandoffTool } from "./tool.ts";

const schema = z.strictObject({ summary: z.string().trim().min(1).max(4_000) });

export const escalateToHuman: HandoffTool<z.infer<typeof schema>> = {
  name: "escalate_to_human",
  description: "Give the conversation to a person, with what they need to know.",
  schema,
  effect: "handoff",
  assurance: "anonymous",
};
