/**
 * Prompts are files with a version in their name, `prompts/NAME.vN.md`. What a run used is recorded as
 * name, version and the first digits of the text's hash, so that an edit without a new version shows.
 * Placeholders are filled with facts of the tenant's configuration; nothing that a customer, a shop's
 * data or a document says is ever put into instructions.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formatOf } from "../../kernel/calendar.ts";
import { assert } from "../../kernel/errors.ts";
import type { RunView } from "../agent.ts";

export interface Prompt {
  /** `support.v2@1a2b3c4d`. */
  readonly version: string;
  instructions(view: Pick<RunView, "tenant" | "now">): string;
}

const FOLDER = new URL("../../../prompts/", import.meta.url);
const SUPPORT = "support.v2";

export function loadPrompt(name: string = SUPPORT): Prompt {
  const text = readFileSync(fileURLToPath(new URL(`${name}.md`, FOLDER)), "utf8");
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return {
    version: `${name}@${hash}`,
    instructions: ({ tenant, now }) =>
      filled(text, {
        shop: oneLine(tenant.name),
        today: formatOf("en-GB", { dateStyle: "full", timeZone: tenant.timeZone }).format(now),
        time_zone: tenant.timeZone,
        currency: tenant.currency,
      }),
  };
}

function filled(text: string, facts: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const fact = facts[name];
    assert(fact !== undefined, `the prompt's placeholder ${name} is known`);
    return fact;
  });
}

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}<>{}]+/gu, " ")
    .trim()
    .slice(0, 100);
