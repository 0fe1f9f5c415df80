/** The real server over HTTP: cold start, latency seen by a client, sustained load with memory over time. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Figure } from "./main.ts";
import { Customer, freePort, type Running, startSandbox, startServer, stop } from "./processes.ts";
import { ms, percentile, times } from "./statistics.ts";

const CLIENTS = 8;
const MIB = 2 ** 20;
/** One that lists orders, one for the ledger, one from the policy, one that needs nothing. */
const MESSAGES = ["where is my order?", "what is your return policy?", "where is my refund?", "hi there"];

function memoryMib(running: Running): number {
  const status = readFileSync(`/proc/${running.child.pid}/status`, "utf8");
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024) / MIB;
}

/** Processor time of a process so far, in ms; the kernel counts in hundredths of a second. */
function processorMs(running: Running): number {
  const stat = readFileSync(`/proc/${running.child.pid}/stat`, "utf8");
  const [user = "0", system = "0"] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) * 10;
}

export async function measureServer(root: string, seconds: number): Promise<Figure[]> {
  const folder = join(root, "served");
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const launch = async (): Promise<{ server: Running; tookMs: number }> => {
    const from = performance.now();
    const server = await startServer({ folder, port, sandboxPort, env: { RECOURSE_LOG_LEVEL: "error" } });
    return { server, tookMs: performance.now() - from };
  };
  const first = await launch();
  await stop(first.server);
  const second = await launch();
  // What starting needed has been given back by then.
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  const demoAtRest = memoryMib(second.server);
  await stop(second.server);
  // Shop and provider are other people's machines: here another process, on the same two cores.
  const sandbox = await startSandbox(join(root, "sandbox"), sandboxPort);
  const server = await startServer({
    folder,
    port,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    env: { RECOURSE_LOG_LEVEL: "error" },
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    const floorMs = await bareHttp();
    const customers = await Promise.all(
      Array.from({ length: CLIENTS }, (_, n) =>
        Customer.enter(url, `c_nw_${String(n + 1).padStart(3, "0")}`),
      ),
    );
    const latencies: number[] = [];
    const memory: number[] = [];
    const endMs = performance.now() + seconds * 1_000;
    const sampler = setInterval(() => memory.push(memoryMib(server)), 1_000);
    let answered = 0;
    let accepted = 0;
    const client = async (customer: Customer) => {
      for (let n = 0; performance.now() < endMs; n += 1) {
        const conversation = await customer.open();
        const stream = await customer.stream(conversation);
        for (let turn = 0; turn < 10 && performance.now() < endMs; turn += 1) {
          const from = performance.now();
          const text = MESSAGES[turn % MESSAGES.length] ?? "";
          const { run_id: run } = await customer.send(conversation, text, `b${n}-${turn}`);
          accepted += 1;
          await stream.until(
            (event) => event.type === "run" && event.state !== "queued" && event.run_id === run,
          );
          latencies.push(performance.now() - from);
          answered += 1;
        }
        stream.close();
      }
    };
    const usedBefore = processorMs(server);
    const from = performance.now();
    await Promise.all(customers.map(client));
    const usedMs = (processorMs(server) - usedBefore) / answered;
    const rate = answered / ((performance.now() - from) / 1_000);
    clearInterval(sampler);
    const half = Math.floor(memory.length / 2);
    const mean = (values: readonly number[]) =>
      values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
    const [early, late] = [mean(memory.slice(0, half)), mean(memory.slice(half))];
    return [
      {
        what: "cold start to ready, first (makes the database)",
        measured: ms(first.tookMs),
        floor: "the second start below",
        ratio: times(first.tookMs / second.tookMs),
        budget: "≤ 6 s",
      },
      {
        what: "cold start to ready, after",
        measured: ms(second.tookMs),
        floor: `${ms(await bareNode())} for an empty Node process`,
        ratio: times(second.tookMs / (await bareNode())),
        budget: "≤ 1.5 s",
      },
      {
        what: "memory at rest, demo running, 20 s after its start",
        measured: `${demoAtRest.toFixed(0)} MiB`,
        floor: "–",
        ratio: "–",
        budget: "≤ 400 MB",
      },
      {
        what: `sustained, ${CLIENTS} clients with open streams, a mix of four questions, one process, embedded`,
        measured: `${rate.toFixed(0)} messages/s answered (${accepted} accepted)`,
        floor: `${(1_000 / floorMs).toFixed(0)} bare HTTP requests/s, one client`,
        ratio: times(rate / (1_000 / floorMs)),
        budget: "≥ 100 messages/s",
      },
      {
        what: "processor time of the server per message, all its threads",
        measured: ms(usedMs),
        floor: "10 ms on one core is 100 messages/s",
        ratio: times(usedMs / 10),
        budget: "–",
      },
      {
        what: "latency under that load (p50 / p99)",
        measured: `${ms(percentile(latencies, 50))} / ${ms(percentile(latencies, 99))}`,
        floor: `${ms(floorMs)} bare HTTP`,
        ratio: times(percentile(latencies, 50) / floorMs),
        budget: "chat < 2 s",
      },
      {
        what: `memory over ${seconds} s of load (first half → second half)`,
        measured: `${early.toFixed(0)} → ${late.toFixed(0)} MiB`,
        floor: `${demoAtRest.toFixed(0)} MiB at rest`,
        ratio: times(late / early),
        budget: "flat",
      },
    ];
  } finally {
    await stop(server);
    await stop(sandbox);
  }
}

/** One HTTP round trip to a server that does nothing: the floor of any API. */
async function bareHttp(): Promise<number> {
  const server = createServer((_request, response) => response.end("{}"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const rounds = 300;
  const from = performance.now();
  for (let n = 0; n < rounds; n += 1) await (await fetch(`http://127.0.0.1:${port}/`)).text();
  const took = (performance.now() - from) / rounds;
  server.closeAllConnections();
  server.close();
  return took;
}

async function bareNode(): Promise<number> {
  const { spawnSync } = await import("node:child_process");
  const from = performance.now();
  spawnSync(process.execPath, ["-e", "0"]);
  return performance.now() - from;
}
