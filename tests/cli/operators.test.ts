/** The people of a server, from its terminal: what is said, and what is in the database after. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock, systemRandom } from "../../src/kernel/ports.ts";
import { createOperators } from "../../src/operators/operators.ts";
import { createSettings } from "../../src/operators/settings/settings.ts";
import { lockDataFolder } from "../../src/store/data-folder.ts";
import { openEmbedded } from "../../src/store/embedded.ts";
import { createStore } from "../../src/store/store.ts";
import { NORTHWIND, temporaryFolder } from "../kit/database.ts";
import { TENANTS } from "../operators/fixture.ts";
import { run as runIn } from "./io.ts";

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder.remove());

const run = (line: string, typed = "") => runIn(line.split(" "), typed, { RECOURSE_DATA_DIR: folder.path });

/** The server's room of operators on the same folder. */
async function asServer<T>(work: (operators: ReturnType<typeof createOperators>) => Promise<T>): Promise<T> {
  const store = createStore(await openEmbedded(`${folder.path}/database`));
  const ports = { store, clock: systemClock, random: systemRandom, tenants: TENANTS, onError: () => {} };
  try {
    return await work(
      createOperators({
        ...ports,
        settings: createSettings(ports),
        secret: "s".repeat(64),
        baseUrl: () => "http://127.0.0.1:3000",
        singleSignOn: null,
        demoSecret: null,
      }),
    );
  } finally {
    await store.close();
  }
}

test("the first person comes before the first start, and signs in with the password from stdin", async () => {
  const added = await run(
    "operators add Ada@Northwind.example --name Ada --tenant all --password-stdin",
    "four words in a row\n",
  );
  expect(added.err).toBe("");
  expect(added).toMatchObject({ code: 0 });
  expect(added.out).toContain("admin of northwind, kestrel");
  expect(added.out).not.toContain("four words");
  await asServer(async ({ signIn, firstAdmin }) => {
    expect((await signIn.signIn("ada@northwind.example", "four words in a row")).next).toBe("done");
    expect(await firstAdmin?.needed()).toBe(false);
  });
});

test("a made password is shown once and works; the list shows who works where", async () => {
  const added = await run("operators add otto@northwind.example --name Otto --role agent --tenant northwind");
  const password = /Password: (\S+)/.exec(added.out)?.[1] ?? "";
  await asServer(async ({ signIn }) => {
    expect((await signIn.signIn("otto@northwind.example", password)).next).toBe("done");
  });
  const listed = await run("operators list");
  expect(listed.out).toMatch(/northwind +otto@northwind.example +agent +Otto \(no second factor\)/);
  expect(listed.out).not.toContain(password);
  const { operators } = JSON.parse((await run("operators list --json --tenant kestrel")).out);
  expect(operators.map(({ email }: { email: string }) => email)).toEqual(["ada@northwind.example"]);
});

test("an invitation's link is accepted by the server, once", async () => {
  const invited = await run("operators invite nora@northwind.example --role lead --tenant northwind");
  const code = new URL(/(http\S+)/.exec(invited.out)?.[1] ?? "").searchParams.get("code") ?? "";
  await asServer(async ({ invitations, access }) => {
    const who = { name: "Nora", password: "four words in a row", signedIn: null };
    expect(await invitations.accept(code, who)).toEqual({
      email: "nora@northwind.example",
      tenantId: NORTHWIND,
    });
    await expect(invitations.accept(code, who)).rejects.toMatchObject({ code: "invitation_invalid" });
    expect(access).toBeDefined();
  });
});

test("access is ended and given back; the last admin stays", async () => {
  expect((await run("operators disable otto@northwind.example --tenant northwind")).out).toContain(
    "disabled agent of northwind",
  );
  expect((await run("operators list --tenant northwind")).out).toMatch(/otto.*disabled/);
  expect((await run("operators enable otto@northwind.example --tenant northwind")).code).toBe(0);
  const last = await run("operators disable ada@northwind.example --tenant northwind");
  expect([last.code, last.err.includes("last_admin")]).toEqual([1, true]);
});

test("a lost app and a lost password are put right, and recorded", async () => {
  expect((await run("operators reset-totp otto@northwind.example")).code).toBe(0);
  const reset = await run(
    "operators reset-password otto@northwind.example --password-stdin",
    "four other words now\n",
  );
  expect(reset.code).toBe(0);
  await asServer(async ({ signIn }) => {
    expect((await signIn.signIn("otto@northwind.example", "four other words now")).next).toBe("done");
  });
});

test("a key from the terminal is one of the server's", async () => {
  const made = await run(
    "operators key report --scopes audit.read,reviews.read --days 30 --tenant northwind",
  );
  const key = /(rck_\S+)/.exec(made.out)?.[1] ?? "";
  await asServer(async ({ access }) => {
    const operator = await access.byKey(key);
    expect([...(operator?.permissions ?? [])].toSorted()).toEqual(["audit.read", "reviews.read"]);
  });
});

test.each([
  ["operators add nobody --name x --tenant all", 2, "not an email address"],
  ["operators add a@b.example --tenant all", 2, "needs --name"],
  ["operators add a@b.example --name x", 2, "not said for which tenant"],
  ["operators add a@b.example --name x --tenant nowhere", 2, 'no tenant "nowhere"'],
  ["operators add ada@northwind.example --name x --tenant all", 1, "operator_exists"],
  ["operators invite a@b.example --role king --tenant northwind", 2, 'no role "king"'],
  ["operators key x --tenant northwind", 2, "needs --scopes"],
  ["operators key x --scopes operators.manage --tenant northwind", 2, "cannot be given"],
  ["operators reset-totp nobody@b.example", 1, "Nobody has the address"],
])("%s: %i, and what to do", async (line, code, said) => {
  const answer = await run(line);
  expect([answer.code, answer.err.includes(said)], answer.err).toEqual([code, true]);
});

test("a folder that the server uses is left alone", async () => {
  const unlock = lockDataFolder(folder.path);
  try {
    const answer = await run("operators list");
    expect([answer.code, answer.err.includes("data_dir_in_use")]).toEqual([1, true]);
  } finally {
    unlock();
  }
});
