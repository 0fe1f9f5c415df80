/** `recourse kafka …`: what lies between who accepts messages and who works on them, and what was put aside there. */

import type { Broker } from "../channels/kafka/broker.ts";
import { replayDeadLetters } from "../channels/kafka/dead-letters.ts";
import { depthOf } from "../channels/kafka/depth.ts";
import { describe } from "../channels/kafka/describe.ts";
import type { BrokerSettings } from "../channels/kafka/settings.ts";
import { type Configuration, loadConfiguration } from "../configuration.ts";
import { LIMITS } from "../kernel/limits.ts";
import { createOutbox } from "../store/outbox.ts";
import { openServer } from "../store/server.ts";
import { CliError, type Command, type CommandIo, EXIT, readArguments, wholeNumber } from "./command.ts";
import { plainLine } from "./terminal.ts";

const SHARED = "It reads RECOURSE_KAFKA_… and DATABASE_URL as the server does; no server has to run.";

/** @throws CliError where no broker is configured, or none answers */
async function withBroker<T>(
  io: CommandIo,
  fn: (broker: Broker, settings: BrokerSettings, configuration: Configuration) => Promise<T>,
): Promise<T> {
  const configuration = loadConfiguration(io.env, process.cwd());
  const { kafka } = configuration;
  if (kafka === null) {
    throw new CliError(
      "No Kafka broker is configured.",
      "Set RECOURSE_KAFKA_BROKERS to what the server has; without one, PostgreSQL wakes the workers.",
    );
  }
  const { createBroker } = await import("../channels/kafka/client.ts");
  const broker = createBroker(kafka, io.clock);
  try {
    return await fn(broker, kafka, configuration);
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    throw new CliError(
      `The broker at ${kafka.brokers.join(", ")} does not do it (${describe(cause)}).`,
      "Check RECOURSE_KAFKA_BROKERS, and that it runs. Messages are accepted without it.",
      EXIT.unreachable,
      cause,
    );
  } finally {
    await broker.close();
  }
}

const status: Command = {
  name: "kafka status",
  summary: "Show what waits on the way over Kafka, and dead letters",
  help: `Usage: recourse kafka status [--json]\n\n${SHARED}`,
  async run(args, io) {
    const { values } = readArguments("kafka status", args, { json: { type: "boolean" } });
    return withBroker(io, async (broker, { topics }, { databaseUrl }) => {
      const depth = await depthOf(broker, topics);
      const database = openServer(String(databaseUrl), io.clock, 1);
      try {
        const { rows, oldestMs } = await createOutbox(database).waiting(LIMITS.kafkaOutboxRows);
        const oldestAgeMs = oldestMs === null ? 0 : Math.max(0, io.clock.now() - oldestMs);
        io.output.write(
          values.json === true
            ? `${JSON.stringify({ ...depth, outbox: rows, oldest_age_ms: oldestAgeMs })}\n`
            : [
                `Outbox        ${rows}${rows === 0 ? "" : `   (the oldest waits for ${Math.round(oldestAgeMs / 1_000)} s)`}`,
                `Chat          ${depth.chat} not finished   (${topics.chat})`,
                `Email         ${depth.email} not finished   (${topics.email})`,
                `Dead letters  ${depth.deadLetters}${depth.deadLetters === 0 ? "" : "   (`recourse kafka dead-letters`)"}\n`,
              ].join("\n"),
        );
        return EXIT.ok;
      } finally {
        await database.close();
      }
    });
  },
};

const letters = (
  name: "kafka dead-letters" | "kafka replay",
  summary: string,
  help: string,
  done: (count: number) => string,
): Command => ({
  name,
  summary,
  help: `Usage: recourse ${name} [--limit N] [--json]\n\n${help} At most ${LIMITS.kafkaReplayRecords} unless --limit says otherwise.\n${SHARED}`,
  async run(args, io) {
    const { values } = readArguments(name, args, {
      limit: { type: "string" },
      json: { type: "boolean" },
    });
    const limit =
      values.limit === undefined
        ? LIMITS.kafkaReplayRecords
        : wholeNumber("limit", values.limit, 1, 1_000_000);
    return withBroker(io, async (broker, { topics }) => {
      let count = 0;
      const from = { broker, topics, clock: io.clock, signal: io.interrupted };
      for await (const { letter, outcome } of replayDeadLetters(from, limit, name === "kafka dead-letters")) {
        if (outcome === "replayed") count += 1;
        const line = [
          letter.at,
          letter.why.padEnd(15),
          letter.from,
          letter.detail,
          ...(letter.replays > 0 ? [`(replayed ${letter.replays} times)`] : []),
          ...(outcome === "left" ? ["(cannot be replayed)"] : []),
        ];
        io.output.write(
          values.json === true
            ? `${JSON.stringify({ ...letter, can_be_replayed: outcome === "replayed" })}\n`
            : `${line.map((part) => plainLine(part, 300)).join("  ")}\n`,
        );
      }
      if (values.json !== true) io.output.write(done(count));
      return io.interrupted.aborted ? EXIT.interrupted : EXIT.ok;
    });
  },
});

export const KAFKA_COMMANDS: readonly Command[] = [
  status,
  letters(
    "kafka dead-letters",
    "List the records that no worker could work on, with why",
    "It changes nothing.",
    (count) => `${count} can be replayed.\n`,
  ),
  letters(
    "kafka replay",
    "Send dead letters again to where they came from",
    "Oldest first. One that fails again comes back; a replay never meets its own.",
    (count) => `${count} replayed.\n`,
  ),
];
