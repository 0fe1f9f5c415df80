/** `docs/limits.md`: the table of limits as a page. `npm run docs` writes it; a test compares. */
import { LIMIT_TABLE } from "./limits.ts";

export function limitsPage(): string {
  const rows = Object.entries(LIMIT_TABLE).map(
    ([name, { value, unit, why }]) =>
      `| \`${name}\` | ${value.toLocaleString("en-US").replaceAll(",", " ")} ${unit} | ${why} |`,
  );
  return `# Limits

Every loop, queue, payload, wait and retry has one. They stand in \`src/kernel/limits.ts\`, each with its reason; this
page is made from there (\`npm run docs\`).

| name | limit | why |
| --- | --- | --- |
${rows.join("\n")}

What has no number but is a limit all the same:

- The embedded database has one connection: transactions of one process follow each other. It writes through the
  operating system's cache, so it survives a killed process, not a machine that loses its power. For that, and for more
  than one process, give it a PostgreSQL server (\`DATABASE_URL\`).
- One process opens a data folder; a second one is refused.
- The audit chain of a tenant is appended to by one transaction at a time.
- Orders are read from the sandbox's shop; connectors to other shops come later.
`;
}

if (import.meta.main) process.stdout.write(limitsPage());
