/** Reads keys from the environment and the file, with their sources, and collects what is wrong. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  CONFIGURATION_FILE,
  KEYS,
  type Key,
  type KeyName,
  masked,
  maskedIf,
  present,
  textOf,
  type ValueOf,
} from "./configuration-keys.ts";
import { ProblemError } from "./kernel/errors.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ConfigurationRow {
  readonly key: string;
  /** Secrets masked. */
  readonly value: string;
  readonly source: "environment" | "file" | "default";
}

interface Fault {
  readonly key: string;
  readonly message: string;
  readonly next: string;
}

/** What is wrong, collected: all of it is reported at once. */
export class Faults {
  readonly #all: Fault[] = [];

  add(key: string, message: string, next: string): void {
    this.#all.push({ key, message, next });
  }

  throwIfAny(): void {
    const [first] = this.#all;
    if (first === undefined) return;
    throw new ProblemError(
      "config_invalid",
      this.#all.map(({ key, message }) => `${key} ${message}.`).join(" "),
      {
        next:
          this.#all.length === 1 ? first.next : this.#all.map(({ key, next }) => `${key}: ${next}`).join(" "),
        details: { errors: this.#all.map(({ key, message, next }) => ({ path: key, message, next })) },
      },
    );
  }
}

export type File = Readonly<Record<string, unknown>> & {
  readonly tenants?: readonly unknown[];
  readonly escalation?: unknown;
};

const fileName = (key: string): string => key.replace(/^RECOURSE_/, "").toLowerCase();

export function readFile(cwd: string, faults: Faults): File {
  let content: string;
  try {
    content = readFileSync(join(cwd, CONFIGURATION_FILE), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    faults.add(
      CONFIGURATION_FILE,
      `cannot be read (${(error as Error).message})`,
      "Make it readable for this user.",
    );
    return {};
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch (error) {
    faults.add(
      CONFIGURATION_FILE,
      `is not JSON (${(error as Error).message})`,
      "Correct it; comments and trailing commas are not JSON.",
    );
    return {};
  }
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    faults.add(CONFIGURATION_FILE, "is not an object", 'Write an object such as {"port": 3000}.');
    return {};
  }
  const names = new Map(
    Object.entries(KEYS).map(([key, about]) => [fileName(key), { key, about: about as Key }]),
  );
  for (const name of Object.keys(value)) {
    if (name === "tenants" || name === "escalation") continue;
    const known = names.get(name);
    if (known === undefined) {
      faults.add(
        `${CONFIGURATION_FILE}: ${name}`,
        "is not a key",
        `The keys are tenants, escalation, ${[...names]
          .filter(([, k]) => k.about.secret !== true)
          .map(([n]) => n)
          .join(", ")}.`,
      );
    } else if (known.about.secret === true) {
      faults.add(
        `${CONFIGURATION_FILE}: ${name}`,
        "is a secret and does not belong in the file",
        `Set ${known.key} in the environment.`,
      );
    }
  }
  if ("tenants" in value && !Array.isArray(value.tenants)) {
    faults.add(`${CONFIGURATION_FILE}: tenants`, "is not a list", "Write a list of tenants.");
    return { ...value, tenants: [] };
  }
  return value as File;
}

/** Values by key, with their sources; a wrong value becomes a fault and the default. */
export class Reader {
  readonly #env: Environment;
  readonly #file: File;
  readonly #faults: Faults;
  readonly rows: ConfigurationRow[] = [];

  constructor(env: Environment, file: File, faults: Faults) {
    this.#env = env;
    this.#file = file;
    this.#faults = faults;
  }

  value<K extends KeyName, D extends ValueOf<K> | null>(key: K, fallback: D): ValueOf<K> | D {
    const about: Key = KEYS[key];
    const [raw, source] = this.#raw(key, about);
    const shown = raw === undefined ? defaultText(about, fallback) : maskedIf(about, raw);
    this.rows.push({ key, value: shown, source });
    if (raw === undefined) return fallback;
    const checked = about.schema.safeParse(raw);
    if (checked.success) return checked.data as ValueOf<K>;
    const where = source === "file" ? `${CONFIGURATION_FILE}: ${fileName(key)}` : key;
    const shownValue = about.secret === true ? "" : ` (it is ${JSON.stringify(raw).slice(0, 80)})`;
    this.#faults.add(where, `${checked.error.issues[0]?.message ?? "is not valid"}${shownValue}`, about.next);
    return fallback;
  }

  /** A secret of a tenant, or another key outside the table. */
  secret(key: string): string | null {
    const value = present(this.#env[key]);
    if (value !== undefined) this.note(key, masked(value), "environment");
    return value ?? null;
  }

  note(key: string, value: string, source: ConfigurationRow["source"]): void {
    this.rows.push({ key, value, source });
  }

  #raw(key: KeyName, about: Key): [string | undefined, ConfigurationRow["source"]] {
    // Both spellings of the webhook's secret are understood.
    const fromEnv =
      present(this.#env[key]) ??
      (key === "STRIPE_WEBHOOK_SECRETS" ? present(this.#env.STRIPE_WEBHOOK_SECRET) : undefined);
    if (fromEnv !== undefined) return [fromEnv, "environment"];
    const fromFile = about.secret === true ? undefined : this.#file[fileName(key)];
    if (fromFile === undefined) return [undefined, "default"];
    return [fileText(fromFile), "file"];
  }
}

function defaultText(about: Key, fallback: unknown): string {
  return about.showDefault !== undefined && typeof fallback === "number"
    ? about.showDefault(fallback)
    : textOf(fallback);
}

/** File values may be JSON's own kinds: `{"port": 3000, "worker": false, "cors_origins": ["…"]}`. */
function fileText(value: unknown): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value)) return value.map(String).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
