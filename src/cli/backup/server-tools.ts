/** PostgreSQL's own pg_dump and pg_restore, run so that no password stands in the list of processes. */
import { spawn } from "node:child_process";
import { CliError, EXIT } from "../command.ts";
import { plainLine } from "../terminal.ts";

/** What is kept of a tool's complaints. */
const COMPLAINT_CHARS_MAX = 2_000;

/** @throws CliError with the tool's own words when it is missing or fails */
export async function runServerTool(
  tool: "pg_dump" | "pg_restore",
  url: string,
  args: readonly string[],
): Promise<void> {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = "";
  const child = spawn(tool, [...args, `--dbname=${address.href}`], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...(password === "" ? {} : { PGPASSWORD: password }) },
  });
  let complaint = "";
  child.stderr.on("data", (chunk: Buffer) => {
    complaint = (complaint + chunk.toString()).slice(0, COMPLAINT_CHARS_MAX);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", (cause) =>
      reject(
        new CliError(
          `${tool} cannot be run here (${(cause as NodeJS.ErrnoException).code}).`,
          "Install PostgreSQL's client programs, of the server's version or newer (Debian: postgresql-client).",
          EXIT.no,
          cause,
        ),
      ),
    );
  });
  if (code === 0) return;
  throw new CliError(
    `${tool} failed: ${plainLine(complaint.trim().replaceAll(/\s*\n\s*/g, " · "), 600)}`,
    "It needs the server's version or newer, and RECOURSE_BACKUP_DATABASE_URL with a role that may read all rows. See docs/backup.md.",
  );
}
