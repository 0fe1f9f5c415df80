/** What `recourse doctor` says of the broker, where one is configured. */
import { depthOf } from "../../channels/kafka/depth.ts";
import { describe } from "../../channels/kafka/describe.ts";
import type { Configuration } from "../../configuration.ts";
import type { Clock } from "../../kernel/ports.ts";
import { plainLine } from "../terminal.ts";
import type { Finding } from "./checks.ts";

const check = "Kafka";

export async function checkKafka({ kafka }: Configuration, clock: Clock): Promise<readonly Finding[]> {
  if (kafka === null) return [];
  const { createBroker } = await import("../../channels/kafka/client.ts");
  const broker = createBroker(kafka, clock);
  try {
    const { chat, email, deadLetters } = await depthOf(broker, kafka.topics);
    const detail = `answers; lag ${chat} (chat) and ${email} (email), dead letters ${deadLetters}`;
    return [
      deadLetters === 0
        ? { check, status: "ok", detail, next: "" }
        : { check, status: "warn", detail, next: "See why with `npm run recourse -- kafka dead-letters`." },
    ];
  } catch (error) {
    return [
      {
        check,
        status: "fail",
        detail: `does not answer at ${kafka.brokers.join(", ")} (${plainLine(describe(error), 200)})`,
        next: "Start it, or correct RECOURSE_KAFKA_…; until then messages are accepted, and answered some seconds later.",
      },
    ];
  } finally {
    await broker.close();
  }
}
