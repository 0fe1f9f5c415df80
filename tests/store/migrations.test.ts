/** What a version does on the schema of another: migrations say of themselves who can go on. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { examineSchema, migrate, prepareSchema } from "../../src/store/migrate.ts";
import { type Migration, migrationOf, readMigrations } from "../../src/store/migration-files.ts";
import { freshDatabase } from "../kit/database.ts";

/** Before a migration said anything of itself; nobody's older version reads what it would say. */
const LAST_SILENT = "0031_mail_providers.sql";

const next = (n: number, phase: string): Migration =>
  migrationOf(
    `090${n}_step.sql`,
    `-- A step of a version to come.\n-- phase: ${phase}\nset local search_path = recourse;\nalter table conversation_notes add column step_${n} text;`,
  );

let known: readonly Migration[];
beforeAll(async () => {
  known = await readMigrations();
});

describe("what migrations say of themselves", () => {
  test("each one since the rule says its phase; what a `contract` needs is a migration before it", () => {
    for (const [index, { name, sql, phase, needs }] of known.entries()) {
      if (name <= LAST_SILENT) continue;
      expect(sql, `${name}: write "-- phase: expand" or "-- phase: contract, needs NNNN_name.sql"`).toMatch(
        /^-- phase: (expand|contract(, needs \d{4}_\w+\.sql)?)$/m,
      );
      if (phase === "contract" && needs !== null) {
        expect(
          known.slice(0, index).map((each) => each.name),
          name,
        ).toContain(needs);
      }
    }
  });

  test("one that calls itself `expand` takes nothing away that the version before it may use", () => {
    for (const { name, sql, phase } of known.filter((each) => each.name > LAST_SILENT)) {
      if (phase !== "expand") continue;
      const statements = sql.replace(/--.*$/gm, "").toLowerCase();
      expect(statements, name).not.toMatch(
        /\bdrop (table|column|view|function|schema)\b|\brename (to|column)\b|\balter column \w+ (set not null|type)\b|\brevoke\b/,
      );
    }
  });

  test("text that says nothing counts as what no other version can work with", () => {
    expect(migrationOf("0900_x.sql", "select 1")).toMatchObject({ phase: "contract", needs: null });
    expect(migrationOf("0900_x.sql", "-- phase: contract, needs 0040_a.sql\n")).toMatchObject({
      phase: "contract",
      needs: "0040_a.sql",
    });
  });
});

describe("a process on the schema of a later version", () => {
  let database: Database;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.close());

  test("starts where the later migrations only add, and writes nothing", async () => {
    const later = [...known, next(1, "expand")];
    expect(await migrate(database, { migrations: later })).toEqual(["0901_step.sql"]);
    await prepareSchema(database);
    expect(await examineSchema(database)).toEqual({ missing: [], later: ["0901_step.sql"], isMember: true });
  });

  test("starts where the later one takes away what this version no longer uses; one that still does is refused", async () => {
    const last = known.at(-1)?.name ?? "";
    const later = [...known, next(1, "expand"), next(2, `contract, needs ${last}`)];
    expect(await migrate(database, { migrations: later })).toEqual(["0902_step.sql"]);
    await prepareSchema(database);
    await expect(prepareSchema(database, { migrations: known.slice(0, -1) })).rejects.toMatchObject({
      code: "schema_newer",
      message: expect.stringContaining("0902_step.sql"),
    });
  });

  test("`--expand-only` stops before what older processes cannot work with; run whole, they are refused and nothing of theirs runs", async () => {
    const later = [
      ...known,
      next(1, "expand"),
      next(2, `contract, needs ${known.at(-1)?.name}`),
      next(3, "expand"),
      next(4, "contract"),
      next(5, "expand"),
    ];
    expect(await migrate(database, { migrations: later, expandOnly: true })).toEqual(["0903_step.sql"]);
    await prepareSchema(database);
    expect(await migrate(database, { migrations: later })).toEqual(["0904_step.sql", "0905_step.sql"]);
    await expect(prepareSchema(database)).rejects.toMatchObject({ code: "schema_newer" });
    await expect(migrate(database)).rejects.toMatchObject({ code: "schema_newer" });
  });
});
