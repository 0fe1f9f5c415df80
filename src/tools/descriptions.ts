/** The tools as they are described to a language model: name, purpose, JSON Schema of the arguments. Never a way to run one. */
import { z } from "zod";
import { TOOLS } from "./registry.ts";

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export const toolDescriptions = (): readonly ToolDescription[] =>
  TOOLS.map(({ name, description, schema }) => {
    // What goes in: transforms of the gateway's own reading are not the model's affair.
    const { $schema: _schema, ...parameters } = z.toJSONSchema(schema, {
      io: "input",
      unrepresentable: "any",
    });
    return { name, description, parameters };
  });
