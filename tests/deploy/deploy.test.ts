/**
 * The files for deployment against the product that they start: no container engine runs here, so what a process would
 * be given is given to the real configuration, and every name is looked up. Linters have a lane of their own: `.ci/deploy`.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findCommand } from "../../src/cli/main.ts";
import { loadConfiguration } from "../../src/configuration.ts";
import { KEYS } from "../../src/configuration-keys.ts";
import { LIMITS } from "../../src/kernel/limits.ts";
import { RECOURSE_VERSION } from "../../src/version.ts";
import { sourceFiles } from "../house/imports.ts";
import { temporaryFolder } from "../kit/database.ts";
import {
  type Container,
  compose,
  environmentOf,
  filled,
  manifests,
  named,
  ofKind,
  ROOT,
  read,
  type Service,
} from "./files.ts";

const folder = temporaryFolder();
afterAll(folder.remove);

const dockerfile = read("Dockerfile")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const instructions = (name: string): string[] =>
  dockerfile.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length).trim());
const imageEnv = Object.fromEntries(
  instructions("ENV").flatMap((line) => line.split(/\s+/).map((pair) => pair.split("=") as [string, string])),
);
const entrypoint = JSON.parse(instructions("ENTRYPOINT")[0] ?? "null") as string[];
const PROBES = ["/healthz", "/readyz"];
/** Whole seconds that a process needs at most to end in order: `EXIT_ANYWAY_MS` of src/process.ts. */
const GRACE_S = Number(/EXIT_ANYWAY_MS = (\d+)_000/.exec(read("src/process.ts"))?.[1]);

/** A command of the image: `serve`, or a program of the repository. */
function expectCommand(entry: readonly string[] | undefined, words: readonly string[]): void {
  if (entry === undefined) {
    const found = findCommand(words);
    expect(found, words.join(" ")).not.toBeNull();
    const options = found?.rest.filter((word) => word.startsWith("--")) ?? [];
    for (const option of options) expect(found?.command.help, words.join(" ")).toContain(option);
    return;
  }
  expect(entry[0]).toBe("node");
  const program = [...entry, ...words].find((word) => word.endsWith(".ts")) ?? "";
  expect(existsSync(join(ROOT, program)), program).toBe(true);
}

describe("the image", () => {
  test("is made in two stages of one pinned base, of the Node.js that package.json names", () => {
    const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
    const bases = instructions("FROM").map((line) => line.split(" ")[0]);
    expect(bases).toEqual(Array(2).fill(`node:${dependencies.node}-bookworm-slim`));
  });

  test("runs as a user that is not root, by number, and holds no secret", () => {
    expect(instructions("USER")).toEqual(["1000:1000"]);
    for (const line of [...instructions("ENV"), ...instructions("ARG")]) {
      expect(line).not.toMatch(/secret|password|token|key/i);
    }
    const ignored = read(".dockerignore").split("\n");
    for (const path of [".git", ".env*", ".recourse", "recourse.config.json", "tests", "node_modules"]) {
      expect(ignored).toContain(path);
    }
  });

  test("has everything that the product reads at run time", () => {
    const copied = instructions("COPY")
      .filter((line) => line.startsWith("--from=build"))
      .map((line) => /\/app\/(\S+)/.exec(line)?.[1] ?? "");
    const made = ["node_modules", "web/dist"];
    for (const path of copied.filter((each) => !made.includes(each))) {
      expect(existsSync(join(ROOT, path)), path).toBe(true);
    }
    const needed = sourceFiles("src")
      .flatMap((file) =>
        [...read(file).matchAll(/new URL\("((?:\.\.\/)+)([\w./-]+)", import\.meta\.url\)/g)].map(
          ([, up = "", path = ""]) => join(file, "..", up, path),
        ),
      )
      .filter((path) => !path.startsWith("src/"));
    expect(needed.length).toBeGreaterThan(4);
    for (const path of new Set(needed)) {
      expect(
        copied.some((each) => `${path}/`.startsWith(`${each}/`)),
        path,
      ).toBe(true);
    }
    for (const made of copied) expect(read(".dockerignore").split("\n")).not.toContain(`${made}/`);
  });

  test("starts the product, says whether it is ready on its own port, and listens where it says", () => {
    expectCommand(entrypoint, []);
    expectCommand(undefined, JSON.parse(instructions("CMD").at(-1) ?? "[]"));
    expect(instructions("EXPOSE")).toEqual([imageEnv.PORT]);
    for (const key of Object.keys(imageEnv)) expect([...Object.keys(KEYS), "NODE_ENV"]).toContain(key);
    const [check = ""] = instructions("HEALTHCHECK");
    expect(PROBES).toContain(/process\.env\.PORT \+ '([^']+)'/.exec(check)?.[1]);
    expect(imageEnv.RECOURSE_DATA_DIR).toBe(instructions("VOLUME")[0]);
  });
});

describe("compose.yaml", () => {
  const ours = Object.entries(compose.services).filter(([, { build }]) => build !== undefined);
  const processes = ours.filter(([, { entrypoint: own }]) => own === undefined);

  test("every process of ours takes its environment as it stands, and is the role that its command says", () => {
    expect(processes.map(([name]) => name)).toEqual(["migrate", "serve", "worker-1", "worker-2"]);
    for (const [name, { command = [], environment }] of processes) {
      const configuration = loadConfiguration({ ...imageEnv, ...filled(environment) }, folder.path);
      expect(configuration.warnings, name).toEqual([]);
      expectCommand(undefined, command);
      if (name !== "migrate") expect(configuration.role, name).toBe(command[0]);
      expect(configuration.databaseUrl, name).toContain(
        name === "migrate" ? "recourse_owner" : "recourse_login",
      );
    }
  });

  test("every key that our containers are given is one that is read", () => {
    for (const [name, { environment = {} }] of ours) {
      for (const key of Object.keys(environment)) {
        expect(key in KEYS || key.startsWith("RECOURSE_KAFKA_"), `${name}: ${key}`).toBe(true);
      }
    }
    const sandbox = compose.services.sandbox as Service;
    expectCommand(sandbox.entrypoint, sandbox.command ?? []);
    for (const key of Object.keys(sandbox.environment ?? {})) expect(read("sandbox/main.ts")).toContain(key);
  });

  test("servers named in URLs are services, with the ports that they listen on", () => {
    const listening: Record<string, string[]> = {
      serve: [filled(compose.services.serve?.environment).PORT ?? ""],
      sandbox: [filled(compose.services.sandbox?.environment).RECOURSE_SANDBOX_PORT ?? ""],
      database: ["5432"],
      kafka: ["9092"],
      mail: ["1025"],
    };
    let seen = 0;
    for (const [name, { environment = {} }] of ours) {
      for (const value of Object.values(filled(environment))) {
        const [, host = "", port = ""] = /(?:^|\/\/|@)([a-z][\w-]*):(\d{4})\b/.exec(value) ?? [];
        if (host === "") continue;
        seen += 1;
        expect(listening[host], `${name}: ${value}`).toContain(port);
      }
    }
    expect(seen).toBeGreaterThan(10);
    for (const [name, service] of ours) {
      const own = Object.values(filled(service.environment));
      for (const published of service.ports ?? []) {
        const [address, , inside = ""] = published.split(":");
        expect(address, name).toBe("127.0.0.1");
        expect(own, `${name}: ${published}`).toContain(inside);
      }
    }
  });

  test("what is needed is waited for, no image floats, and our containers can change nothing but their data", () => {
    for (const [name, service] of Object.entries(compose.services)) {
      for (const needed of Object.keys(service.depends_on ?? {}))
        expect(compose.services).toHaveProperty(needed);
      expect(service.image, name).toMatch(/:(local|v?\d[\w.-]+)$/);
    }
    for (const [name, { read_only, cap_drop }] of ours) {
      expect([read_only, cap_drop], name).toEqual([true, ["ALL"]]);
    }
    expect(read("compose.yaml")).not.toMatch(/PASSWORD: "(?!\$\{)|SECRET: "(?!\$\{)/);
  });
});

describe("Kubernetes manifests", () => {
  const pods = ofKind("Deployment", "Job");
  const containers = pods.flatMap((pod) =>
    pod.spec.template.spec.containers.map((container) => [pod.metadata.name, container] as const),
  );
  const cwd = join(folder.path, "kubernetes");
  mkdirSync(cwd);
  writeFileSync(
    join(cwd, "recourse.config.json"),
    named("ConfigMap", "recourse-file").data?.["recourse.config.json"] ?? "",
  );

  test("every process takes its environment and its file as they stand, and is the role that its arguments say", () => {
    const ours = containers.filter(([, { command }]) => command === undefined);
    expect(ours.map(([name]) => name)).toEqual(["migrate", "serve", "work"]);
    for (const [name, container] of ours) {
      const { args = [] } = container;
      expectCommand(undefined, args);
      const configuration = loadConfiguration(
        { ...imageEnv, ...environmentOf(container) },
        name === "migrate" ? folder.path : cwd,
      );
      expect(configuration.warnings, name).toEqual([]);
      if (name === "migrate") continue;
      expect(configuration.role).toBe(args[0]);
      expect(configuration.demo).toBe(false);
      expect(configuration.databaseUrl).toContain("recourse_login");
    }
    const login = named("Job", "migrate").spec.template.spec.containers[0]?.args?.at(-1);
    expect(named("Secret", "recourse").stringData?.DATABASE_URL).toContain(`//${login}:`);
    expect(named("Secret", "recourse-owner").stringData?.DATABASE_URL).not.toContain(`//${login}:`);
  });

  test("every key that is set is one that is read, and the sandbox is started with what it reads", () => {
    for (const [name, container] of containers) {
      for (const key of Object.keys(environmentOf(container)))
        expect(key in KEYS, `${name}: ${key}`).toBe(true);
    }
    const [, sandbox] = containers.find(([name]) => name === "sandbox") as [string, Container];
    expectCommand(sandbox.command, sandbox.args ?? []);
    for (const { name } of sandbox.env ?? []) expect(read("sandbox/main.ts")).toContain(name);
  });

  test("probes ask paths that exist, on ports that the process listens on; services lead to pods", () => {
    for (const [name, container] of containers) {
      const env = { ...imageEnv, ...environmentOf(container) };
      const own = container.command === undefined ? env.PORT : env.RECOURSE_SANDBOX_PORT;
      for (const { containerPort } of container.ports ?? []) expect(String(containerPort), name).toBe(own);
      const probes = (["startupProbe", "readinessProbe", "livenessProbe"] as const).flatMap(
        (probe) => container[probe] ?? [],
      );
      expect(probes.length, name).toBe(name === "migrate" ? 0 : name === "sandbox" ? 1 : 3);
      for (const { httpGet } of probes) {
        expect(container.ports?.map((port) => port.name)).toContain(httpGet.port);
        if (name !== "sandbox") expect(PROBES).toContain(httpGet.path);
      }
      if (name === "serve" || name === "work") {
        expect(container.livenessProbe?.httpGet.path, "a database that is away restarts nothing").toBe(
          "/healthz",
        );
      }
    }
    for (const { metadata, spec } of ofKind("Service")) {
      const pod = named("Deployment", metadata.name);
      expect(pod.spec.template.metadata.labels).toMatchObject(spec.selector);
      const { ports } = pod.spec.template.spec.containers[0] ?? {};
      expect(ports?.map(({ name }) => name)).toContain(spec.ports[0]?.targetPort);
    }
    const config = named("ConfigMap", "recourse").data ?? {};
    for (const value of Object.values(config)) {
      const [, host = "", port = ""] = /\/\/([a-z]+):(\d+)/.exec(value) ?? [];
      if (host !== "") expect(named("Service", host).spec.ports[0]?.port).toBe(Number(port));
    }
  });

  test("a disruption budget stands for servers and for workers, and leaves room to empty a node", () => {
    const budgets = ofKind("PodDisruptionBudget");
    expect(budgets.map(({ metadata }) => metadata.name)).toEqual(["serve", "work"]);
    for (const { metadata, spec } of budgets) {
      const pod = named("Deployment", metadata.name);
      expect(pod.spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      expect(pod.spec.selector.matchLabels).toEqual(spec.selector.matchLabels);
      expect(pod.spec.replicas).toBeGreaterThan(spec.minAvailable ?? 0);
    }
  });

  test("no pod is root, writes outside its volumes, reaches the cluster's API, or is without bounds", () => {
    for (const { metadata } of manifests.filter(({ kind }) => kind !== "Namespace")) {
      expect(metadata.namespace, metadata.name).toBe("recourse");
    }
    for (const pod of pods) {
      const { spec } = pod.spec.template;
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: "RuntimeDefault" },
      });
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(Object.keys(container.resources.requests)).toEqual(["cpu", "memory"]);
        expect(Object.keys(container.resources.limits)).toEqual(["memory"]);
        expect(container.image).toBe(`registry.example/recourse:${RECOURSE_VERSION}`);
        for (const { name } of container.volumeMounts)
          expect(spec.volumes.map((each) => each.name)).toContain(name);
      }
      for (const { configMap } of spec.volumes)
        if (configMap !== undefined) named("ConfigMap", configMap.name);
      const grace = spec.terminationGracePeriodSeconds;
      if (grace !== undefined) expect(grace).toBeGreaterThan(GRACE_S);
    }
    expect(GRACE_S * 1_000).toBeGreaterThan(LIMITS.shutdownGraceMs);
  });
});
