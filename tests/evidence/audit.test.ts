import { beforeEach, describe, expect, test } from "vitest";
import { appendAudit } from "../../src/evidence/audit.ts";
import { auditCsvLine, csvCell } from "../../src/evidence/audit-csv.ts";
import { type AuditRow, firstBrokenAmongSome, firstBrokenLink } from "../../src/evidence/chain.ts";
import {
  checkpointFault,
  createAuditSigner,
  createCheckpoints,
  readCheckpoint,
} from "../../src/evidence/checkpoints.ts";
import { auditAfter } from "../../src/evidence/reading.ts";
import { seededRandom, systemClock } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { emptiedDatabase, NORTHWIND } from "../kit/database.ts";

const scope = tenantScope(NORTHWIND);
const SECRET = "7".repeat(64);
let store: Store;

beforeEach(async () => {
  store = createStore(await emptiedDatabase());
  await store.transact(scope, (tx) =>
    tx
      .insertInto("tenants")
      .values({ tenant_id: NORTHWIND, name: "Northwind", currency: "USD", time_zone: "UTC" })
      .execute(),
  );
});

const append = (subject: string, note: string | null = null) =>
  store.transact(scope, (tx) =>
    appendAudit(tx, 1_000, [
      { kind: "review.approve", subject, customerId: "ada", body: { by: "olivia" }, texts: { note } },
    ]),
  );
const rows = () => store.transact(scope, (tx) => auditAfter(tx, 0, 100));

describe("what a person writes stands beside the chain", () => {
  test("the entry holds its salted hash, and the same words twice have two hashes", async () => {
    await append("rev_1", "Ada asked for it by phone");
    await append("rev_2", "Ada asked for it by phone");
    await append("rev_3");
    const [first, second, third] = await rows();
    expect(JSON.stringify(first?.body)).not.toContain("phone");
    expect(first?.texts?.note?.text).toBe("Ada asked for it by phone");
    const hashOf = (row: AuditRow | undefined) =>
      (row?.body as { texts?: { note: string } } | undefined)?.texts?.note;
    expect(hashOf(first)).toMatch(/^[0-9a-f]{64}$/);
    expect(hashOf(first)).not.toBe(hashOf(second));
    expect(third?.body).toEqual({ by: "olivia" });
    expect(third).not.toHaveProperty("texts");
  });

  test("without the words the chain holds; with other words it does not", async () => {
    await append("rev_1", "as it was");
    await append("rev_2");
    const written = (await rows()) as readonly AuditRow[];
    expect(firstBrokenLink(written)).toBeNull();
    const [first, second] = written as [AuditRow, AuditRow];
    const changed = {
      ...first,
      texts: { note: { salt: first.texts?.note?.salt ?? "", text: "as it was not" } },
    };
    expect(firstBrokenLink([changed, second])).toEqual({ n: 1, why: "its note does not fit the hash in it" });
    const added = { ...second, texts: { note: { salt: "s", text: "never said" } } };
    expect(firstBrokenLink([first, added])?.n).toBe(2);

    await store.transact(scope, (tx) => tx.deleteFrom("audit_texts").execute());
    expect(firstBrokenLink((await rows()) as readonly AuditRow[])).toBeNull();
  });
});

test("every change of one field of one entry of a chain is found at that entry (1,000 changes)", async () => {
  const seed = Math.trunc(Number(process.env.SEED ?? 20261203));
  const random = seededRandom(seed);
  for (let n = 0; n < 20; n += 1) await append(`rev_${n}`, n % 3 === 0 ? `note ${n}` : null);
  const whole = (await rows()) as readonly AuditRow[];
  for (let trial = 0; trial < 1_000; trial += 1) {
    const at = Math.floor(random.fraction() * whole.length);
    const row = whole[at] as AuditRow;
    const changes: AuditRow[] = [
      { ...row, at_ms: row.at_ms + 1 },
      { ...row, kind: `${row.kind}.` },
      { ...row, subject: row.subject.toUpperCase() },
      { ...row, body: { ...(row.body as object), by: "mallory" } },
      { ...row, prev_hash: row.hash },
      { ...row, hash: row.prev_hash },
    ];
    const changed = changes[Math.floor(random.fraction() * changes.length)] as AuditRow;
    expect(firstBrokenLink(whole.with(at, changed))?.n, `seed ${seed}, entry ${at + 1}`).toBe(at + 1);
    expect(firstBrokenAmongSome([changed], null)?.n, `seed ${seed}`).toBe(
      changed.prev_hash === row.hash && changed.n !== 1 ? changed.n : at + 1,
    );
    const left = at === whole.length - 1 ? null : { n: at + 1 };
    expect(firstBrokenLink(whole.toSpliced(at, 1))?.n ?? null, `seed ${seed}`).toBe(left?.n ?? null);
  }
});

describe("a signed checkpoint", () => {
  test("names the last entry, and is taken only as it was signed and only with the key that is wanted", async () => {
    const signer = createAuditSigner(SECRET);
    const checkpoints = createCheckpoints({ store, clock: systemClock, signer });
    expect(await checkpoints.make(scope)).toMatchObject({ n: 0, hash: "0".repeat(64) });
    await append("rev_1");
    const made = await checkpoints.make(scope);
    expect(made).toMatchObject({
      tenant: NORTHWIND,
      n: 1,
      hash: (await rows())[0]?.hash,
      key: signer.publicKey,
    });
    const read = readCheckpoint(JSON.stringify(made));
    expect(read).toEqual(made);
    expect(checkpointFault(made)).toBeNull();
    expect(checkpointFault(made, signer.publicKey)).toBeNull();
    for (const changed of [
      { n: 2 },
      { hash: "1".repeat(64) },
      { at: "2020-01-01T00:00:00.000Z" },
      { tenant: "kestrel" },
      { signature: "" },
      { key: "AAAA" },
    ]) {
      expect(checkpointFault({ ...made, ...changed })).not.toBeNull();
    }
    const other = createAuditSigner("8".repeat(64));
    const forged = other.sign({ tenant: NORTHWIND, n: 1, hash: made.hash, at: made.at });
    expect(checkpointFault(forged)).toBeNull();
    expect(checkpointFault(forged, signer.publicKey)).toContain("signed with the key");
  });

  test("has a key that a command takes as it is, whatever the secret: none begins with a dash", () => {
    for (let seed = 0; seed < 300; seed += 1) {
      expect(createAuditSigner(seed.toString(16).padStart(64, "0")).publicKey).toMatch(/^[0-9a-f]{64}$/);
    }
  });

  test("is Ed25519 as RFC 8032 has it: the public key of its first test vector", () => {
    const { publicKey } = createAuditSigner(
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
    );
    expect(publicKey).toBe("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
  });
});

describe("CSV for spreadsheets", () => {
  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r\n=1", "\u200b=1", "＝1", "|cmd"])(
    "what would run as a formula is text: %j",
    (text) => {
      expect(csvCell(text)).toMatch(/^"'/);
    },
  );

  test("quotes, commas and line ends stay in their cell", () => {
    expect(csvCell('a "b", c\nd')).toBe('"a ""b"", c\nd"');
    expect(csvCell("plain")).toBe("plain");
  });

  test("a note that is a formula is text in the line of its entry", async () => {
    await append("rev_1", '=HYPERLINK("http://evil.example","x")');
    const [row] = await rows();
    const line = auditCsvLine(row as never);
    expect(line).toContain('"note: =HYPERLINK(""http://evil.example""');
    expect(line.endsWith("\r\n")).toBe(true);
  });
});
