/** `recourse demo`: plays every scene on the real server and judges it; exit code 1 when a guarantee fails. */
import { createApi } from "../api.ts";
import { CliError, type Command, type CommandIo, EXIT, readArguments } from "../command.ts";
import { operatorApi } from "../operator.ts";
import { columnsOf, paintFor, plainText } from "../terminal.ts";
import { newRefunds } from "./judge.ts";
import { jsonNarrator, type Narrator, type SceneReport, transcriptNarrator } from "./narrator.ts";
import { createProvider } from "./provider.ts";
import { Cast, type Scene, type SceneParts } from "./scene.ts";
import { SCENES } from "./scenes.ts";
import { createScriptedModel } from "./scripted-model.ts";
import { setStage } from "./stage.ts";

/** Far above what it takes; a demo that hangs is a demo that failed. */
const LIMIT_MS = 150_000;

export const demo: Command = {
  name: "demo",
  summary: "Watch the guarantees hold: refunds with everything going wrong around them",
  help: `Usage: recourse demo [--json] [--scene NAME]

Starts the real server, a sandbox of a payment provider and a scripted language model on free
ports with a temporary data folder, plays ${SCENES.length} scenes (about a minute), shows what the customer
reads and what the provider holds, and cleans up. Nothing of your set-up is used or changed.

  --json           one line a scene: {"scene","ok","refunds_at_provider","customer_was_told"}
  --scene NAME     only this one: ${SCENES.map(({ name }) => name).join(", ")}

Exit codes: 0 every guarantee held, 1 one did not.`,
  async run(args, io) {
    const { values } = readArguments("demo", args, { json: { type: "boolean" }, scene: { type: "string" } });
    const scenes = SCENES.filter(({ name }) => values.scene === undefined || name === values.scene);
    if (scenes.length === 0) {
      throw new CliError(
        `There is no scene "${values.scene}".`,
        `Use one of ${SCENES.map(({ name }) => name).join(", ")}.`,
        EXIT.usage,
      );
    }
    const write = (line: string) => {
      io.output.write(`${line}\n`);
    };
    const paint = paintFor(io.output, io.env);
    const json = values.json === true;
    const narrator = json
      ? jsonNarrator(write)
      : transcriptNarrator(write, { paint, width: columnsOf(io.output), timeZone: "America/New_York" });
    const startedMs = io.clock.now();
    if (!json)
      write(
        paint("dim", "Starting the server, a sandbox of a payment provider and a scripted language model …"),
      );
    const reports = await playAll(scenes, io, narrator);
    const failed = reports.filter(({ ok }) => !ok);
    if (!json) {
      const seconds = ((io.clock.now() - startedMs) / 1_000).toFixed(1);
      write("");
      write(
        failed.length === 0
          ? `${paint("green", "✓")} ${reports.length === 1 ? "One scene" : `${reports.length} scenes`}, every guarantee held (${seconds} s).`
          : `${paint("red", "✗")} ${failed.length} of ${reports.length} scenes failed: ${failed.map(({ scene }) => scene).join(", ")} (${seconds} s).`,
      );
      if (failed.length === 0) {
        write(
          paint(
            "dim",
            "Try it yourself: `npm start`, then `npm run recourse -- chat --as ada` in another terminal.",
          ),
        );
      }
    }
    return failed.length === 0 ? EXIT.ok : EXIT.no;
  },
};

async function playAll(
  scenes: readonly Scene[],
  io: CommandIo,
  narrator: Narrator,
): Promise<readonly SceneReport[]> {
  const limit = new AbortController();
  const cancelLimit = io.clock.after(LIMIT_MS, () =>
    limit.abort(
      new CliError(
        `The demo took longer than ${LIMIT_MS / 1_000} seconds.`,
        "Run it again on a machine that is less busy.",
      ),
    ),
  );
  const signal = AbortSignal.any([io.interrupted, limit.signal]);
  const stage = await setStage({ env: io.env, clock: io.clock, signal });
  try {
    await stage.startServer();
    const api = createApi({ url: stage.serverUrl, clock: io.clock });
    const parts: SceneParts = {
      io: { ...io, interrupted: signal },
      api,
      operator: (tenant) => operatorApi({ url: stage.serverUrl, tenant }, { env: {}, clock: io.clock }),
      provider: createProvider(stage.sandboxUrl, signal),
      model: createScriptedModel(stage.modelUrl, signal),
      stage,
      narrator,
    };
    const reports: SceneReport[] = [];
    for (const [index, scene] of scenes.entries()) {
      if (signal.aborted) throw signal.reason;
      narrator.scene(index + 1, scene.title);
      const report = await play(scene, parts, () => stage.logTail());
      narrator.end(report);
      reports.push(report);
    }
    return reports;
  } finally {
    cancelLimit();
    await stage.strike();
  }
}

async function play(scene: Scene, parts: SceneParts, logTail: () => string): Promise<SceneReport> {
  const { narrator, provider } = parts;
  const before = await provider.refundsOf(scene.order);
  const made = async () => newRefunds(before, await provider.refundsOf(scene.order));
  const cast = new Cast(parts);
  let ok = true;
  try {
    const checks = await scene.play(parts, made, cast);
    narrator.provider(scene.order, await made());
    for (const check of checks) {
      narrator.check(check);
      if (!check.ok) {
        ok = false;
        parts.io.error.write(`${scene.name}: ${check.guarantee} ${check.claim}: found ${check.found}\n`);
      }
    }
  } catch (error) {
    if (parts.io.interrupted.aborted) throw error;
    ok = false;
    const text = plainText((error as Error).message);
    narrator.failed(text);
    parts.io.error.write(`${scene.name}: ${text}\n${plainText(logTail())}\n`);
  } finally {
    await cast.leave();
    await provider.clearFaults().catch(() => {});
  }
  return {
    scene: scene.name,
    ok,
    refundsAtProvider: (await made()).length,
    customerWasTold: cast.lastTold,
  };
}
