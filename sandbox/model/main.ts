/**
 * The scripted model by itself: `node sandbox/model/main.ts`. RECOURSE_SANDBOX_MODEL_PORT (3002), HOST
 * (127.0.0.1). Point the product at it with RECOURSE_MODEL=compatible/scripted and RECOURSE_MODEL_URL.
 */
import { systemClock } from "../../src/kernel/ports.ts";
import { serveModelSandbox } from "./server.ts";

const sandbox = await serveModelSandbox({
  host: process.env.HOST ?? "127.0.0.1",
  port: Number(process.env.RECOURSE_SANDBOX_MODEL_PORT ?? 3_002),
  clock: systemClock,
});
process.stdout.write(`scripted model ready ${sandbox.url}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void sandbox.stop().then(() => process.exit(0)));
}
