/**
 * The sandbox by itself: `node sandbox/main.ts`. RECOURSE_SANDBOX_PORT (3001), HOST (127.0.0.1),
 * RECOURSE_DATA_DIR (.recourse): its state is in the folder `sandbox` there. RECOURSE_SANDBOX_CROWD (0): customers more
 * than the world's own, for a load.
 */
import { join, resolve } from "node:path";
import { systemClock, systemRandom } from "../src/kernel/ports.ts";
import { serveSandbox } from "./serve.ts";

const sandbox = await serveSandbox({
  host: process.env.HOST ?? "127.0.0.1",
  port: Number(process.env.RECOURSE_SANDBOX_PORT ?? 3_001),
  folder: join(resolve(process.env.RECOURSE_DATA_DIR ?? ".recourse"), "sandbox"),
  webhookUrl: null,
  crowd: Number(process.env.RECOURSE_SANDBOX_CROWD ?? 0),
  clock: systemClock,
  random: systemRandom,
});
process.stdout.write(`sandbox ready ${sandbox.url}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void sandbox.stop().then(() => process.exit(0)));
}
