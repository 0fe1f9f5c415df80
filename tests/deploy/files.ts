/** The files for deployment as values, and what in them a container would see. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, parseAllDocuments } from "yaml";

export const ROOT = join(import.meta.dirname, "../..");
export const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

export interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}

export interface Compose {
  readonly services: Readonly<Record<string, Service>>;
}

/** `merge`: `<<` as compose reads it. */
export const compose = parse(read("compose.yaml"), { merge: true }) as Compose;

/** Values that `${NAME:?why}` asks for; a URL is still one with them. */
export const filled = (environment: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([key, value]) => [
      key,
      value.replace(/\$\{(\w+):\?[^}]*\}/g, (_, name: string) => `${name.toLowerCase()}_`.padEnd(40, "x")),
    ]),
  );

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

export interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly {
    readonly configMapRef?: { readonly name: string };
    readonly secretRef?: { readonly name: string };
  }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources: { readonly requests: Record<string, string>; readonly limits: Record<string, string> };
  readonly securityContext: Record<string, unknown>;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string; readonly configMap?: { readonly name: string } }[];
  readonly securityContext: Record<string, unknown>;
  readonly automountServiceAccountToken: boolean;
  readonly terminationGracePeriodSeconds?: number;
}

export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly replicas?: number;
    readonly minAvailable?: number;
    readonly selector: Record<string, string> & { readonly matchLabels: Record<string, string> };
    readonly ports: readonly { readonly port: number; readonly targetPort: string }[];
    readonly template: {
      readonly metadata: { readonly labels: Record<string, string> };
      readonly spec: PodSpec;
    };
  };
}

const FOLDER = "deploy/kubernetes";

export const manifests: readonly Manifest[] = readdirSync(join(ROOT, FOLDER))
  .sort()
  .flatMap((file) => parseAllDocuments(read(`${FOLDER}/${file}`)).map((document) => document.toJS()));

export const ofKind = (...kinds: readonly string[]): readonly Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind));

export function named(kind: string, name: string): Manifest {
  const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found;
}

/** What a container's process has in its environment. */
export const environmentOf = ({ envFrom = [], env = [] }: Container): Record<string, string> =>
  Object.assign(
    {},
    ...envFrom.map(({ configMapRef, secretRef }) =>
      configMapRef === undefined
        ? named("Secret", secretRef?.name ?? "").stringData
        : named("ConfigMap", configMapRef.name).data,
    ),
    ...env.map(({ name, value }) => ({ [name]: value })),
  );
