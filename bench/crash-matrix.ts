/**
 * `npm run crash-matrix`: the real server, killed with SIGKILL at every named boundary of a refund,
 * restarted, and checked: one refund at the provider, ledger and audit agree, the customer hears once.
 * Prints `points=N killed=N violations=0`; exits 1 on any violation. `--only NAME` runs one point.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firstBrokenLink } from "../src/evidence/chain.ts";
import { BOUNDARY_NAMES, type BoundaryName } from "../src/kernel/ports.ts";
import { openEmbedded } from "../src/store/embedded.ts";
import {
  DECISION_POINTS,
  type ExpectedBooks,
  prepareWaiting,
  visitDecision,
  type WaitingBase,
} from "./crash-decisions.ts";
import { agentTexts, Customer, freePort, refundsAt, startSandbox, startServer, stop } from "./processes.ts";

/** Where the crash strikes: while the wish is answered with an offer, or while the yes is carried out. */
type Stage = "wish" | "yes";

interface Point {
  readonly name: BoundaryName;
  readonly stage: Stage;
  /** A fault without which the refund would not pass this boundary. */
  readonly fault?: string;
}

const WISH = "I want a refund for order 1044";
const CHARGE = "ch_nw_1044";
const AMOUNT_MINOR = 6_400;

/** Boundaries that an offer passes too are visited in both stages. */
const OFFER_TOO: readonly BoundaryName[] = [
  "message.before-accept-commit",
  "message.after-accept-commit",
  "run.before-claim-commit",
  "run.after-claim-commit",
  "run.before-agent",
];
const OFFER_ONLY: readonly BoundaryName[] = ["run.before-answer-commit", "run.after-answer-commit"];
const NEEDS_FAULT: Partial<Record<BoundaryName, string>> = {
  "action.before-lookup": "error_500_after_accept",
  "action.after-lookup": "error_500_after_accept",
};

function points(only: string | undefined): Point[] {
  const all = BOUNDARY_NAMES.filter((name) => !name.startsWith("review.")).flatMap((name): Point[] => {
    const fault = NEEDS_FAULT[name];
    const at = (stage: Stage): Point => ({ name, stage, ...(fault === undefined ? {} : { fault }) });
    if (OFFER_ONLY.includes(name)) return [at("wish")];
    return OFFER_TOO.includes(name) ? [at("wish"), at("yes")] : [at("yes")];
  });
  return only === undefined ? all : all.filter((point) => point.name === only);
}

interface Base {
  readonly folder: string;
  readonly token: string;
  readonly conversation: string;
}

/** A data folder in which the conversation is open, or the offer stands; each point starts from a copy. */
async function prepare(root: string, stage: Stage, from: Base | null): Promise<Base> {
  const folder = join(root, `base-${stage}`);
  if (from !== null) cpSync(from.folder, folder, { recursive: true });
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const sandbox = await startSandbox(folder, sandboxPort);
  const server = await startServer({ folder, port, sandboxUrl: `http://127.0.0.1:${sandboxPort}` });
  try {
    const url = `http://127.0.0.1:${port}`;
    const customer = from === null ? await Customer.enter(url, "ben") : new Customer(url, from.token);
    const conversation = from?.conversation ?? (await customer.open());
    if (stage === "yes") {
      await customer.send(conversation, WISH, "wish");
      await customer.until(conversation, (events) =>
        agentTexts(events).some((text) => text.includes("Shall I go ahead?")),
      );
    }
    return { folder, token: customer.token, conversation };
  } finally {
    await stop(server);
    await stop(sandbox);
  }
}

async function visit(
  root: string,
  base: Base,
  point: Point,
): Promise<{ killed: boolean; violations: string[] }> {
  const folder = mkdtempSync(join(root, "point-"));
  cpSync(base.folder, folder, { recursive: true });
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const sandbox = await startSandbox(folder, sandboxPort);
  const violations: string[] = [];
  let killed = false;
  try {
    if (point.fault !== undefined) {
      for (const fault of [point.fault, "lost", "lost", "lost"]) {
        await fetch(`${sandboxUrl}/sandbox/faults`, { method: "POST", body: JSON.stringify({ fault }) });
      }
    }
    const doomed = await startServer({ folder, port, sandboxUrl, env: { RECOURSE_CRASH_AT: point.name } });
    const customer = new Customer(url, base.token);
    const { conversation } = base;
    const [text, id] = point.stage === "wish" ? [WISH, "wish"] : ["yes", "yes"];
    await customer.send(conversation, text, id).catch(() => {});
    const timeout = new Promise<null>((resolve) => setTimeout(resolve, 20_000, null).unref());
    const end = await Promise.race([doomed.exited, timeout]);
    killed = end?.signal === "SIGKILL";
    if (!killed) {
      doomed.child.kill("SIGKILL");
      await doomed.exited;
    }

    const server = await startServer({ folder, port, sandboxUrl });
    try {
      // The client's answer may have been lost: it sends the same message again, as a client does.
      await customer.send(conversation, text, id);
      if (point.stage === "wish") {
        await customer.until(conversation, (events) =>
          agentTexts(events).some((said) => said.includes("Shall I go ahead?")),
        );
        await customer.send(conversation, "yes", "yes");
      }
      const events = await customer.until(conversation, (log) =>
        agentTexts(log).some((said) => said.includes("has confirmed your refund")),
      );
      const offers = agentTexts(events).filter((said) => said.includes("Shall I go ahead?")).length;
      if (offers !== 1) violations.push(`the offer was made ${offers} times`);
      // A late second message would come with the sweep: give it two of them.
      await new Promise((resolve) => setTimeout(resolve, 4_500));
      const told = agentTexts(await customer.events(conversation)).filter((said) =>
        said.includes("has confirmed your refund"),
      ).length;
      if (told !== 1) violations.push(`the customer was told ${told} times`);
      const seqs = events.map((event) => event.seq);
      if (seqs.some((seq, index) => seq !== index + 1))
        violations.push(`seq has a gap or a repeat: ${seqs.join(",")}`);
      const refunds = await refundsAt(sandboxUrl, CHARGE);
      if (refunds.length !== 1 || refunds[0]?.amount !== AMOUNT_MINOR)
        violations.push(`the provider holds ${JSON.stringify(refunds)}`);
    } finally {
      await stop(server);
    }
    violations.push(
      ...(await checkBooks(folder, {
        actions: [{ state: "succeeded", amount_minor: AMOUNT_MINOR }],
        refundedMinor: AMOUNT_MINOR,
      })),
    );
  } catch (error) {
    violations.push((error as Error).message);
  } finally {
    await stop(sandbox);
    rmSync(folder, { recursive: true, force: true });
  }
  return { killed, violations };
}

/** Ledger and audit, read as the owner while nobody else has the folder. */
async function checkBooks(folder: string, expected: ExpectedBooks): Promise<string[]> {
  const database = await openEmbedded(join(folder, "database"));
  const session = await database.acquire();
  const found: string[] = [];
  try {
    const read = async (sql: string) => (await session.script(`set search_path = recourse; ${sql}`)).rows;
    const actions = await read("select state, amount_minor from actions order by state");
    if (JSON.stringify(actions) !== JSON.stringify(expected.actions))
      found.push(`actions: ${JSON.stringify(actions)}`);
    const [balance] = await read("select held_minor, refunded_minor from order_balances");
    if (balance?.held_minor !== 0 || balance.refunded_minor !== expected.refundedMinor)
      found.push(`balance: ${JSON.stringify(balance)}`);
    const live = await read("select id, state from runs where state in ('queued', 'running')");
    if (live.length > 0) found.push(`runs still live: ${JSON.stringify(live)}`);
    const audit = await read(
      "select n, at_ms, kind, subject, body, prev_hash, hash from audit where tenant_id = 'northwind' order by n",
    );
    const broken = firstBrokenLink(audit as never);
    if (broken !== null) found.push(`audit: entry ${broken.n}: ${broken.why}`);
    const succeeded = audit.filter((row) => row.kind === "action.succeeded").length;
    if (succeeded !== 1) found.push(`the audit says succeeded ${succeeded} times`);
  } finally {
    session.release();
    await database.close();
  }
  return found;
}

const onlyAt = process.argv.indexOf("--only");
const only = onlyAt === -1 ? undefined : process.argv[onlyAt + 1];
const wanted = points(only);
const decisions = DECISION_POINTS.filter(({ name }) => only === undefined || name === only);
const root = mkdtempSync(join(tmpdir(), "recourse-crash-"));
const total = wanted.length + decisions.length;
let killed = 0;
let violations = 0;
try {
  const wish = await prepare(root, "wish", null);
  const bases = { wish, yes: await prepare(root, "yes", wish) };
  const waitingBase = decisions.length === 0 ? null : await prepareWaiting(root);
  const waiting: { readonly label: string; visit(): ReturnType<typeof visit> }[] = [
    ...wanted.map((point) => ({
      label: `${point.name} (${point.stage})`,
      visit: () => visit(root, bases[point.stage], point),
    })),
    ...decisions.map((point) => ({
      label: `${point.name} (${point.decision})`,
      visit: () => visitDecision(root, waitingBase as WaitingBase, point, checkBooks),
    })),
  ];
  const worker = async () => {
    for (let point = waiting.shift(); point !== undefined; point = waiting.shift()) {
      const result = await point.visit();
      if (!result.killed) result.violations.push("the server was not killed: this boundary was not reached");
      else killed += 1;
      violations += result.violations.length;
      const verdict = result.violations.length === 0 ? "ok" : `VIOLATION ${result.violations.join("; ")}`;
      process.stdout.write(`${point.label.padEnd(50)} ${verdict}\n`);
    }
  };
  await Promise.all([worker(), worker()]);
} finally {
  rmSync(root, { recursive: true, force: true });
}
process.stdout.write(`points=${total} killed=${killed} violations=${violations}\n`);
process.exit(violations === 0 && killed === total ? 0 : 1);
