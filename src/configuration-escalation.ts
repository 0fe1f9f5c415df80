/**
 * When a person takes over, as the file has it: `escalation` for all tenants, and a tenant's own over it. It is
 * what the setting `escalation` begins with; what is set at run time goes before it.
 */
import { CONFIGURATION_FILE } from "./configuration-keys.ts";
import type { ConfigurationRow, Faults, Reader } from "./configuration-reading.ts";
import { AREAS, type AreaValue } from "./operators/settings/shape.ts";

export type EscalationConfiguration = AreaValue<"escalation">;

const { schema, initial } = AREAS.escalation;
const someOfIt = schema.partial();
const NAMES = Object.keys(initial) as readonly (keyof EscalationConfiguration)[];

/** What is written at `path` in the file; what is wrong there is a fault, and counts as not written. */
export function readEscalation(
  value: unknown,
  path: string,
  faults: Faults,
): Partial<EscalationConfiguration> {
  if (value === undefined) return {};
  const checked = someOfIt.safeParse(value);
  // JSON has no `undefined`: what is there has a value.
  if (checked.success) return checked.data as Partial<EscalationConfiguration>;
  for (const issue of checked.error.issues) {
    const unknown = issue.code === "unrecognized_keys" ? issue.keys : [null];
    for (const key of unknown) {
      const where = [path, ...issue.path, ...(key === null ? [] : [key])].join(".");
      const message = key === null ? issue.message : "is not a key";
      faults.add(`${CONFIGURATION_FILE}: ${where}`, message, `The keys are ${NAMES.join(", ")}.`);
    }
  }
  return {};
}

/** A tenant's thresholds whole, each with a row that says where it is from. */
export function escalationOf(
  tenantId: string,
  own: Partial<EscalationConfiguration>,
  ofAll: Partial<EscalationConfiguration>,
  read: Reader,
): EscalationConfiguration {
  const written = { ...ofAll, ...own };
  const value = { ...initial, ...written };
  for (const name of NAMES) {
    const source: ConfigurationRow["source"] = written[name] === undefined ? "default" : "file";
    read.note(`tenant ${tenantId}: escalation.${name}`, String(value[name]), source);
  }
  return value;
}
