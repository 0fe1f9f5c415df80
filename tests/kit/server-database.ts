/** The PostgreSQL server of the slower lane: where it is, and its tables without rows. */
import type { Database } from "../../src/store/database.ts";

const url = process.env.DATABASE_URL;
if (url === undefined) throw new Error("DATABASE_URL is not set: run `.ci/postgres npm run test:server`.");

export const SERVER_URL: string = url;

export async function emptyServer(database: Database): Promise<void> {
  const session = await database.acquire();
  const { rows } = await session.script("select tablename from pg_tables where schemaname = 'recourse'");
  await session.script(`truncate ${rows.map((row) => `recourse.${row.tablename}`).join(", ")} cascade`);
  session.release();
}
