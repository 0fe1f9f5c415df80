/**
 * `npm run load`: a day of a shop in one go, on PostgreSQL (DATABASE_URL) and with real processes: a server, workers,
 * the sandbox with a crowd of customers. Chats over HTTP and mails by SMTP and LMTP; a fault of shop or provider with
 * each hundredth message. It ends with what must hold, read from the database and the provider, and exits with 1 when
 * something does not.
 *
 *   --messages N (500)  --workers W (2)  --customers C at once (8 a worker)  --rate R messages a second, open loop
 *   --kill-every-ms T   a worker dies and another takes its place  --seed S  --json
 */
import { parseArgs } from "node:util";
import { countOf, play, print, restUntil, say, wantedDatabase } from "./load/playing.ts";
import { INTENTS, MAIL_SHARE, MIX } from "./load/talks.ts";

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "500" },
    workers: { type: "string", default: "2" },
    customers: { type: "string" },
    rate: { type: "string" },
    "kill-every-ms": { type: "string" },
    seed: { type: "string", default: "1042" },
    json: { type: "boolean", default: false },
  },
});
const databaseUrl = wantedDatabase("load");
const messages = Number(values.messages);
const workers = Number(values.workers);
const killEveryMs = values["kill-every-ms"] === undefined ? null : Number(values["kill-every-ms"]);

const mix = INTENTS.map((intent) => `${MIX[intent]} ${intent}`).join(", ");
say(`Of a hundred conversations ${mix} (an assumption); ${MAIL_SHARE} by mail.`);
const report = await play({
  databaseUrl,
  workers,
  expected: messages,
  faultEvery: 100,
  mayRepeatMails: killEveryMs !== null,
  load: {
    seed: Number(values.seed),
    messages,
    forMs: null,
    rate: values.rate === undefined ? null : Number(values.rate),
    customers: Number(values.customers ?? workers * 8),
  },
  async weather(fleet, over, tally) {
    while (killEveryMs !== null) {
      await restUntil(over, killEveryMs);
      const victim = fleet.workers[tally.kills % fleet.workers.length];
      if (over.aborted || victim === undefined) return;
      tally.kills += 1;
      await fleet.replace(victim);
    }
  },
});
print(report, values.json);
const { lost, doubled, disordered, money } = report.findings;
// Last, and where it is seen in both forms.
(values.json ? process.stderr : process.stdout).write(
  `lost=${lost.length} doubled=${doubled.length} disordered=${disordered.length} money=${money.length}\n`,
);
process.exit(countOf(report.findings) > 0 || report.messages < messages ? 1 : 0);
