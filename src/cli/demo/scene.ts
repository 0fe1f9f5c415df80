/** What a scene of the demo is given, and what it is: things are done, then checks say what must hold. */
import type { Api } from "../api.ts";
import type { CommandIo } from "../command.ts";
import { type DemoCustomer, enter } from "./customer.ts";
import { type Check, type newRefunds, saidIn } from "./judge.ts";
import type { Narrator } from "./narrator.ts";
import { openPostbox, type Postbox } from "./postbox.ts";
import type { Provider } from "./provider.ts";
import type { ScriptedModel } from "./scripted-model.ts";
import type { Stage } from "./stage.ts";

export interface SceneParts {
  readonly io: CommandIo;
  readonly api: Api;
  /** The API as an operator of a tenant. */
  operator(tenant: string): Api;
  readonly provider: Provider;
  readonly model: ScriptedModel;
  readonly stage: Stage;
  readonly narrator: Narrator;
}

export interface Scene {
  readonly name: string;
  readonly title: string;
  /** The order whose refunds are counted. */
  readonly order: string;
  /** `made` asks the provider for the refunds since the scene began. */
  play(
    parts: SceneParts,
    made: () => Promise<ReturnType<typeof newRefunds>>,
    cast: Cast,
  ): Promise<readonly Check[]>;
}

/** Who takes part in a scene; all leave at its end, and the first one's last message is what was told. */
export class Cast {
  readonly #parts: SceneParts;
  readonly #customers: DemoCustomer[] = [];
  readonly #postboxes: Postbox[] = [];

  constructor(parts: SceneParts) {
    this.#parts = parts;
  }

  async enter(name: string): Promise<DemoCustomer> {
    const customer = await enter(this.#parts, name);
    this.#customers.push(customer);
    return customer;
  }

  /** Somebody who writes mails instead. */
  postbox(address: string): Postbox {
    const { io, narrator, stage } = this.#parts;
    const postbox = openPostbox({ io, narrator, ...stage }, address);
    this.#postboxes.push(postbox);
    return postbox;
  }

  get lastTold(): string {
    const [first] = this.#customers;
    if (first === undefined) return this.#postboxes[0]?.lastTold() ?? "";
    const last = first?.conversation.events.findLast(
      (event) => event.type === "message" && event.author !== "customer",
    );
    return last === undefined ? "" : saidIn([last]);
  }

  async leave(): Promise<void> {
    await Promise.all(this.#customers.map((customer) => customer.leave()));
  }
}
