/** The demo's language model: the sandbox's scripted one, told what to answer to which words. */
import { CliError, EXIT } from "../command.ts";

/** One answer; `tokenMs` is the pause between its words. */
export interface ScriptedAnswer {
  readonly text: string;
  readonly tokenMs?: number;
}

export interface ScriptedModel {
  /** Answers so whenever the customer's message has these words in it. */
  script(when: string, answer: ScriptedAnswer): Promise<void>;
  /** How many questions it has been asked. */
  asked(): Promise<number>;
}

export function createScriptedModel(url: string, signal: AbortSignal): ScriptedModel {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/sandbox/model${path}`, {
      method,
      signal,
      headers: { "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) {
      throw new CliError(`The scripted model answered ${response.status} to ${path}.`, "", EXIT.unreachable);
    }
    return response.json();
  };
  return {
    async script(when, answer) {
      await call("POST", "/scripts", { when, turns: [answer] });
    },
    async asked() {
      const { requests } = (await call("GET", "/requests")) as { requests: readonly unknown[] };
      return requests.length;
    },
  };
}
