/**
 * What comes from outside, by a policy that a test keeps: which packages, from where, under which licences, and which
 * files of ours ask another server. `npm audit` needs the network and is run by whoever updates a package; what it
 * cannot know is here.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesUnder } from "./patterns.ts";

const ROOT = join(import.meta.dirname, "../..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
}
const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> };
const own = JSON.parse(read("package.json")) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
};
const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
const shipped = packages.filter(([, it]) => !it.dev && !it.devOptional && !it.optional);

/** Licences that let a merchant run and change what we ship, without terms for their own code. */
const LICENCES =
  /^(?:MIT|MIT-0|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|BlueOak-1\.0\.0|CC0-1\.0|Unlicense|PostgreSQL|Python-2\.0|Zlib)$/;
const licenceFits = (licence: string | undefined): boolean =>
  (licence ?? "")
    .replace(/[()]/g, "")
    .split(/ or /i)
    .some((one) => one.split(/ and /i).every((each) => LICENCES.test(each.trim())));

describe("packages", () => {
  test("come from the registry, each with its checksum", () => {
    for (const [path, { resolved, integrity }] of packages) {
      if (resolved === undefined) continue;
      expect(resolved, path).toMatch(/^https:\/\/registry\.npmjs\.org\//);
      expect(integrity, path).toMatch(/^sha(?:512|384)-/);
    }
  });

  test("that we name are named at one version exactly", () => {
    for (const [name, version] of Object.entries({ ...own.dependencies, ...own.devDependencies })) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    }
  });

  test("run no script when they are installed, but those that are allowed", () => {
    const scripted = shipped.filter(([, it]) => it.hasInstallScript === true && it.optional !== true);
    const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ""));
    for (const name of names) expect(Object.keys(own.allowScripts), name).toContain(name);
  });

  test("that are shipped are free to run and to change", () => {
    const others = shipped
      .filter(([, { license }]) => !licenceFits(license))
      .map(([path, { license }]) => `${path.replace(/^.*node_modules\//, "")}: ${license}`);
    expect(others).toEqual([]);
  });
});

/** Files that ask another server, and where its address comes from. None comes from a customer or from a document. */
const ASKS: Readonly<Record<string, string>> = {
  "src/channels/email/providers/fetching.ts":
    "a provider's notice, after its host was checked to be Amazon's",
  "src/channels/email/providers/senders.ts": "configuration",
  "src/cli/doctor/checks.ts": "configuration",
  "src/cli/api.ts": "who calls the terminal's own command",
  "src/cli/demo/postbox.ts": "the demo's own server",
  "src/cli/demo/provider.ts": "the demo's own sandbox",
  "src/cli/demo/scripted-model.ts": "the demo's own sandbox",
  "src/cli/demo/stage.ts": "the demo's own server",
  "src/commerce/connectors/sandbox-shop/exchange.ts": "configuration",
  "src/commerce/connectors/stripe/wire.ts": "configuration",
  "src/demo-shop.ts": "the demo's own sandbox",
  "src/mail.ts": "the demo's own sandbox",
  "src/server.ts": "the demo's own sandbox",
};

describe("no request of ours goes where a stranger says (SSRF)", () => {
  test("every file that asks another server is known, with where the address comes from", () => {
    const asks = filesUnder("src").filter((file) =>
      /(?<![\w.])(?:await |return )(?:parts\.)?fetch\(|(?<!\w)send\((?:request|url|path|`|input)|http\.request\(|https\.request\(|net\.connect\(|tls\.connect\(/.test(
        read(file),
      ),
    );
    expect(asks.filter((file) => ASKS[file] === undefined)).toEqual([]);
  });

  test("what is imported as a document is bytes that were sent: no address is read from it or fetched", () => {
    for (const file of filesUnder("src/knowledge")) {
      expect(read(file), file).not.toMatch(/(?<![\w.])fetch\s*\(|node:https?"|node:net"|node:tls"/);
    }
  });

  test("a redirect is an error where an address came from outside", () => {
    expect(read("src/channels/email/providers/fetching.ts")).toContain('redirect: "error"');
  });
});
