import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkClock, checkNode, type DoctorParts, examine } from "../../src/cli/doctor/checks.ts";
import { seededRandom, systemClock } from "../../src/kernel/ports.ts";
import { lockDataFolder } from "../../src/store/data-folder.ts";
import { temporaryFolder } from "../kit/database.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** Nobody answers anywhere unless the test says so. */
const doctor = (env: Record<string, string> = {}, answers: (url: string) => Response | null = () => null) =>
  examine({
    env: { PORT: "0", RECOURSE_SANDBOX_PORT: "0", RECOURSE_DATA_DIR: "data", ...env },
    cwd: folder.path,
    clock: systemClock,
    random: seededRandom(1),
    nodeVersion: "v24.21.0",
    fetch: (async (url: string) => {
      const answer = answers(url);
      if (answer === null) throw new TypeError("fetch failed");
      return answer;
    }) as unknown as DoctorParts["fetch"],
  });

const of = async (check: string, ...args: Parameters<typeof doctor>) =>
  (await doctor(...args)).filter((finding) => finding.check === check);

describe("doctor", () => {
  test("finds nothing wrong with a fresh set-up", async () => {
    const findings = await doctor();
    expect(findings.filter(({ status }) => status === "fail")).toEqual([]);
    expect(findings.length).toBeGreaterThan(6);
  });

  test("says what to do with every finding that is not ok, and leaves nothing behind", async () => {
    const findings = await doctor({ RECOURSE_WORKERR: "on", RECOURSE_CRASH_AT: "action.after-provider" });
    for (const finding of findings) {
      expect(finding.next === "", JSON.stringify(finding)).toBe(finding.status === "ok");
    }
    expect(findings.some(({ status, next }) => status === "warn" && next !== "")).toBe(true);
    expect(
      findings.some(({ status, detail }) => status === "fail" && detail.includes("RECOURSE_CRASH_AT")),
    ).toBe(true);
    await expect(import("node:fs/promises").then(({ readdir }) => readdir(folder.path))).resolves.toEqual([]);
  });

  test("names every key that is wrong and looks no further", async () => {
    const findings = await doctor({ PORT: "many", RECOURSE_LOG_LEVEL: "loud" });
    const failed = findings.filter(({ status }) => status === "fail").map(({ detail }) => detail);
    expect(failed.some((detail) => detail.startsWith("PORT "))).toBe(true);
    expect(failed.some((detail) => detail.startsWith("RECOURSE_LOG_LEVEL "))).toBe(true);
    expect(findings.map(({ check }) => check)).toEqual(["Node.js", "Configuration", "Configuration"]);
  });

  test("says of a Kafka broker that does not answer that messages are accepted all the same", async () => {
    expect(await of("Kafka")).toEqual([]);
    const [finding] = await of("Kafka", {
      DATABASE_URL: "postgres://127.0.0.1:1/none",
      RECOURSE_KAFKA_BROKERS: "127.0.0.1:1",
    });
    expect(finding).toMatchObject({
      status: "fail",
      detail: expect.stringContaining("does not answer at 127.0.0.1:1"),
      next: expect.stringContaining("messages are accepted"),
    });
  });

  test("refuses a data folder that is a file", async () => {
    writeFileSync(join(folder.path, "file"), "");
    const [finding] = await of("Data folder", { RECOURSE_DATA_DIR: "file/inside" });
    expect(finding?.status).toBe("fail");
  });

  test("sees a data folder that another process uses", async () => {
    mkdirSync(join(folder.path, "data"));
    const unlock = lockDataFolder(join(folder.path, "data"));
    try {
      expect((await of("Data folder"))[0]?.status).toBe("warn");
    } finally {
      unlock();
    }
    expect((await of("Data folder"))[0]?.status).toBe("ok");
  });

  test("sees a port that another program has, and a server of ours that answers there", async () => {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    const port = String((listener.address() as AddressInfo).port);
    try {
      expect((await of("Ports", { PORT: port }))[0]?.status).toBe("fail");
      const ready = (isReady: boolean) => (url: string) =>
        url.endsWith("/readyz")
          ? Response.json({ ready: isReady, checks: [{ name: "database", ok: isReady, detail: "gone" }] })
          : null;
      expect((await of("Server", { PORT: port }, ready(true)))[0]?.status).toBe("ok");
      const [broken] = await of("Server", { PORT: port }, ready(false));
      expect(broken).toMatchObject({ status: "fail" });
      expect(broken?.detail).toContain("database");
    } finally {
      listener.close();
    }
  });

  test("tells apart a provider that is away, a key that is wrong and one that may too little", async () => {
    const env = {
      RECOURSE_SANDBOX: "off",
      STRIPE_API_KEY: "sk_test_abc",
      STRIPE_WEBHOOK_SECRETS: "whsec_abc",
      RECOURSE_TENANT_ID: "northwind",
      RECOURSE_TENANT_CURRENCY: "USD",
      RECOURSE_TENANT_TIME_ZONE: "America/New_York",
      RECOURSE_TENANT_ISSUER: "https://shop.example",
      RECOURSE_JWT_SECRET_NORTHWIND: "x".repeat(40),
      RECOURSE_DEMO: "off",
    };
    const answers = (status: number) => async () =>
      (
        await of("Payments", env, (url) =>
          url.includes("/v1/refunds") ? Response.json({}, { status }) : null,
        )
      )[0];
    expect((await of("Payments", env))[0]?.status).toBe("fail");
    expect(await answers(401)()).toMatchObject({ status: "fail" });
    expect((await answers(401)())?.next).toContain("STRIPE_API_KEY");
    expect((await answers(403)())?.next).toContain("rights");
    expect(await answers(200)()).toMatchObject({ status: "ok" });
    expect(await answers(500)()).toMatchObject({ status: "warn" });
    for (const finding of await doctor(env)) expect(JSON.stringify(finding)).not.toContain("sk_test_abc");
  });

  test("sees a tenant whom no policy governs", async () => {
    const env = {
      RECOURSE_TENANT_ID: "nobody",
      RECOURSE_TENANT_CURRENCY: "USD",
      RECOURSE_TENANT_TIME_ZONE: "America/New_York",
    };
    expect((await of("Policies", env))[0]?.status).toBe("fail");
  });

  test("says which database cannot be reached, without its password", async () => {
    const [finding] = await of("Database", { DATABASE_URL: "postgres://u:geheim@127.0.0.1:1/x" });
    expect(finding).toMatchObject({ status: "fail" });
    expect(JSON.stringify(finding)).not.toContain("geheim");
  });

  test.each([
    ["v24.0.0", "ok"],
    ["v26.1.0", "ok"],
    ["v20.19.0", "fail"],
    ["nonsense", "fail"],
  ])("Node.js %s is %s", (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });

  test("judges the clock by what lies outside the time of the request", () => {
    const sent = Date.parse("2026-03-02T10:00:00.500Z");
    const status = (date: string | null, tookMs = 100) =>
      checkClock(date, sent, sent + tookMs, "it")[0]?.status;
    expect(status("Mon, 02 Mar 2026 10:00:00 GMT")).toBe("ok");
    // A slow answer is no wrong clock.
    expect(status("Mon, 02 Mar 2026 10:01:00 GMT", 90_000)).toBe("ok");
    expect(status("Mon, 02 Mar 2026 10:02:00 GMT")).toBe("warn");
    expect(status("Mon, 02 Mar 2026 09:00:00 GMT")).toBe("fail");
    expect(status(null)).toBeUndefined();
    expect(status("yesterday")).toBeUndefined();
  });
});
