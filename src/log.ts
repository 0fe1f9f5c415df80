/**
 * The log: one line of JSON an event. Credentials are left out by name; card numbers and secrets are taken out
 * of each whole line, wherever in an error's text or a path they stand.
 */
import pino, { type DestinationStream, type Logger } from "pino";
import { maskCardNumbers } from "./safety/card-numbers.ts";
import { maskSecrets } from "./safety/secrets.ts";

export function createLog(level: string, destination: DestinationStream): Logger {
  return pino(
    {
      level,
      redact: ["authorization", "headers.authorization", "err.config", "err.raw", "err.headers"],
      hooks: { streamWrite: (line) => maskSecrets(maskCardNumbers(line)) },
    },
    destination,
  );
}
