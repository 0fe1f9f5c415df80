/** Tells the demo: as a transcript for people, or as one line of JSON a scene for programs. */
import type { ChatEvent } from "../chat/events.ts";
import { actionLine, eventLines } from "../chat/view.ts";
import { hanging, type Paint, plainLine } from "../terminal.ts";
import { type Check, type HeldRefund, refundWords } from "./judge.ts";

export interface SceneReport {
  readonly scene: string;
  readonly ok: boolean;
  /** Refunds that the scene made at the provider. */
  readonly refundsAtProvider: number;
  /** The last thing that the customer read. */
  readonly customerWasTold: string;
}

export interface Narrator {
  scene(number: number, title: string): void;
  /** What is being done, beside the talking. */
  does(text: string): void;
  event(customer: string, event: ChatEvent): void;
  /** A mail, by whoever wrote it. */
  mail(from: string, text: string): void;
  /** What the shop is seen writing; empty when it is taken back. */
  draft(text: string): void;
  provider(orderNumber: string, made: readonly HeldRefund[]): void;
  check(check: Check): void;
  failed(text: string): void;
  end(report: SceneReport): void;
}

export function jsonNarrator(write: (line: string) => void): Narrator {
  const nothing = () => {};
  return {
    scene: nothing,
    does: nothing,
    event: nothing,
    mail: nothing,
    draft: nothing,
    provider: nothing,
    check: nothing,
    failed: nothing,
    end: ({ scene, ok, refundsAtProvider, customerWasTold }) =>
      write(
        JSON.stringify({
          scene,
          ok,
          refunds_at_provider: refundsAtProvider,
          customer_was_told: customerWasTold,
        }),
      ),
  };
}

export function transcriptNarrator(
  write: (line: string) => void,
  look: { readonly paint: Paint; readonly width: number; readonly timeZone: string },
): Narrator {
  const { paint, width } = look;
  const lines = (all: readonly string[]) => {
    for (const line of all) write(line);
  };
  return {
    scene(number, title) {
      lines(["", paint("bold", `${number}. ${title}`)]);
    },
    does(text) {
      lines(hanging(paint("yellow", "   » "), "     ", text, width));
    },
    event(customer, event) {
      const shown = eventLines(event, { you: customer, paint, timeZone: look.timeZone, width: width - 3 });
      lines(shown.map((line) => `   ${line}`));
      if (event.type === "action") {
        lines(hanging("          ", "            ", actionLine(event, { ...look, you: customer }), width));
      }
    },
    mail(from, text) {
      const name = from.split("@")[0] ?? from;
      lines(hanging(`   ${name.padEnd(7)} ✉ `, "             ", plainLine(text, 600), width));
    },
    draft(text) {
      const shown = text === "" ? "(taken back)" : `${plainLine(text, 300)} …`;
      lines(hanging("   writing ", "           ", shown, width).map((line) => paint("dim", line)));
    },
    provider(orderNumber, made) {
      const held = made.length === 0 ? "no refund" : made.map(refundWords).join(", ");
      lines(
        hanging(paint("cyan", "   provider  "), "             ", `order #${orderNumber}: ${held}`, width),
      );
    },
    check({ guarantee, claim, ok, found }) {
      const mark = ok ? paint("green", "✓") : paint("red", "✗");
      lines(hanging(`   ${mark} ${guarantee} `, "        ", ok ? claim : `${claim}; found: ${found}`, width));
    },
    failed(text) {
      lines(hanging(`   ${paint("red", "✗")} `, "     ", text, width));
    },
    end() {},
  };
}
