/** The code that docs/widget.md gives to shops: run as it stands there, its tokens are taken by the server. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createTokens } from "../../src/channels/http/tokens.ts";
import { systemClock } from "../../src/kernel/ports.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGE = readFileSync(join(ROOT, "docs/widget.md"), "utf8");
const SECRET = "a secret of a shop that has thirty-two bytes and more";
const folder = mkdtempSync(join(tmpdir(), "recourse-snippets-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));

const LANGUAGES = {
  js: { command: process.execPath, file: "token.mjs", call: "\nconsole.log(await recourseToken(ID));" },
  python: { command: "python3", file: "token.py", call: "\nprint(recourse_token(ID))" },
  php: { command: "php", file: "token.php", call: "\necho recourse_token(ID);" },
  ruby: { command: "ruby", file: "token.rb", call: "\nputs recourse_token(ID)" },
} as const;

/** The first block of the language that makes a token. */
const snippet = (language: string): string => {
  const blocks = [...PAGE.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))];
  const [, code] = blocks.find(([, text]) => /recourse_?token/i.test(text ?? "")) ?? [];
  if (code === undefined) throw new Error(`docs/widget.md has no code in ${language}`);
  return code;
};

describe("a shop's server signs a token", () => {
  for (const [language, { command, file, call }] of Object.entries(LANGUAGES)) {
    const isThere = spawnSync(command, ["--version"]).status === 0;
    test.skipIf(!isThere)(`in ${language}`, async () => {
      const path = join(folder, file);
      const head = language === "php" ? "<?php\n" : "";
      writeFileSync(path, head + snippet(language) + call.replace("ID", JSON.stringify("customer-7")));
      const { stdout, stderr, status } = spawnSync(command, [path], {
        env: { PATH: process.env.PATH, RECOURSE_JWT_SECRET: SECRET, HOME: process.env.HOME },
        encoding: "utf8",
      });
      expect(status, stderr).toBe(0);
      const tokens = createTokens({
        issuers: [
          {
            tenantId: "northwind",
            issuer: "https://shop.example",
            audience: "recourse",
            secret: SECRET,
          },
        ],
        operators: [],
        clock: systemClock,
      });
      const { scope, assurance, validUntilMs } = await tokens.customer(stdout.trim());
      expect(scope).toMatchObject({ tenantId: "northwind", customerId: "customer-7" });
      expect(assurance).toBe("authenticated");
      expect(validUntilMs).toBeGreaterThan(systemClock.now() + 3_000_000);
    });
  }
});
