/**
 * The part of the crash matrix about people: the server is killed at each boundary of a decision, restarted, and the
 * operator's client sends the same decision again, as a client does that got no answer. One refund, of the amount
 * that was decided; the customer hears once.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { BoundaryName } from "../src/kernel/ports.ts";
import { agentTexts, Customer, freePort, refundsAt, startSandbox, startServer, stop } from "./processes.ts";

export interface DecisionPoint {
  readonly name: BoundaryName;
  readonly decision: "approve" | "approve_changed";
}

export const DECISION_POINTS: readonly DecisionPoint[] = [
  { name: "review.before-decision-commit", decision: "approve" },
  { name: "review.after-decision-commit", decision: "approve" },
  { name: "action.before-precheck", decision: "approve" },
  { name: "review.before-decision-commit", decision: "approve_changed" },
  { name: "review.after-decision-commit", decision: "approve_changed" },
  { name: "review.before-change-commit", decision: "approve_changed" },
  { name: "review.after-change-commit", decision: "approve_changed" },
  { name: "action.after-provider", decision: "approve_changed" },
];

const CHARGE = "ch_nw_1042";
const ASKED_MINOR = 11_300;
const CHANGED_MINOR = 6_000;
/** The demo's own, on this machine only. */
const OPERATOR = "demo-operator-northwind";

export interface WaitingBase {
  readonly folder: string;
  readonly token: string;
  readonly conversation: string;
  readonly reviewId: string;
}

/** What the books must say: actions by state and amount. */
export interface ExpectedBooks {
  readonly actions: readonly { readonly state: string; readonly amount_minor: number }[];
  readonly refundedMinor: number;
}

/** A data folder in which a refund waits for a person; decisions can be undone for a second. */
export async function prepareWaiting(root: string): Promise<WaitingBase> {
  const folder = join(root, "base-waiting");
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const sandbox = await startSandbox(folder, sandboxPort);
  const server = await startServer({ folder, port, sandboxUrl: `http://127.0.0.1:${sandboxPort}` });
  try {
    const url = `http://127.0.0.1:${port}`;
    const customer = await Customer.enter(url, "ada");
    const conversation = await customer.open();
    await customer.send(conversation, "refund everything from order 1042", "wish");
    await customer.until(conversation, (events) => agentTexts(events).some((text) => text.includes("#1042")));
    await customer.send(conversation, "yes", "yes");
    await customer.until(conversation, (events) =>
      agentTexts(events).some((text) => text.includes("with a colleague for approval")),
    );
    const operator = new Customer(url, OPERATOR);
    const { areas: settings } = await operator.request<{
      areas: readonly { area: string; value: object; version: number }[];
    }>("/v1/operator/settings");
    const reviews = settings.find(({ area }) => area === "reviews");
    await operator.request("/v1/operator/settings/reviews", {
      method: "POST",
      body: JSON.stringify({
        value: { ...reviews?.value, undo_seconds: 1 },
        version: reviews?.version ?? 0,
      }),
    });
    const queue = await operator.request<{ reviews: readonly { review_id: string }[] }>(
      "/v1/operator/reviews",
    );
    return { folder, token: customer.token, conversation, reviewId: queue.reviews[0]?.review_id ?? "" };
  } finally {
    await stop(server);
    await stop(sandbox);
  }
}

export async function visitDecision(
  root: string,
  base: WaitingBase,
  point: DecisionPoint,
  checkBooks: (folder: string, expected: ExpectedBooks) => Promise<string[]>,
): Promise<{ killed: boolean; violations: string[] }> {
  const folder = mkdtempSync(join(root, "point-"));
  cpSync(base.folder, folder, { recursive: true });
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const sandbox = await startSandbox(folder, sandboxPort);
  const violations: string[] = [];
  const isChanged = point.decision === "approve_changed";
  const amountMinor = isChanged ? CHANGED_MINOR : ASKED_MINOR;
  let killed = false;
  try {
    const decide = async () => {
      const operator = new Customer(url, OPERATOR);
      const path = `/v1/operator/reviews/${base.reviewId}`;
      const review = await operator.request<{ args_hash: string }>(path);
      return operator.request<{ state: string }>(`${path}/decision`, {
        method: "POST",
        body: JSON.stringify({
          decision: point.decision,
          decision_id: "crash-1",
          args_hash: review.args_hash,
          version: 1,
          ...(isChanged ? { amount: "60.00" } : {}),
        }),
      });
    };
    const doomed = await startServer({ folder, port, sandboxUrl, env: { RECOURSE_CRASH_AT: point.name } });
    await decide().catch(() => {});
    const timeout = new Promise<null>((resolve) => setTimeout(resolve, 20_000, null).unref());
    const end = await Promise.race([doomed.exited, timeout]);
    killed = end?.signal === "SIGKILL";
    if (!killed) {
      doomed.child.kill("SIGKILL");
      await doomed.exited;
    }
    const server = await startServer({ folder, port, sandboxUrl });
    try {
      const again = await decide();
      if (again.state !== "decided") violations.push(`the repeated decision is answered as ${again.state}`);
      const customer = new Customer(url, base.token);
      const isTold = (text: string) => text.includes("has confirmed your refund");
      await customer.until(base.conversation, (log) => agentTexts(log).some(isTold));
      // A late second message would come with the sweep: give it two of them.
      await new Promise((resolve) => setTimeout(resolve, 4_500));
      const events = await customer.events(base.conversation);
      const told = agentTexts(events).filter(isTold).length;
      if (told !== 1) violations.push(`the customer was told ${told} times`);
      if (events.some(({ seq }, index) => seq !== index + 1)) violations.push("seq has a gap or a repeat");
      const refunds = await refundsAt(sandboxUrl, CHARGE);
      if (refunds.length !== 1 || refunds[0]?.amount !== amountMinor) {
        violations.push(`the provider holds ${JSON.stringify(refunds)}`);
      }
    } finally {
      await stop(server);
    }
    const succeeded = { state: "succeeded", amount_minor: amountMinor };
    violations.push(
      ...(await checkBooks(folder, {
        actions: isChanged ? [{ state: "cancelled", amount_minor: ASKED_MINOR }, succeeded] : [succeeded],
        refundedMinor: amountMinor,
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
