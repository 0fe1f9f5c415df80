/** Scenes by mail: a refund with the link that says who it is, a sender who is somebody else, and a program that answers. */
import { type Check, noRefund, oneRefund } from "./judge.ts";
import type { ReadMail } from "./postbox.ts";
import type { Scene } from "./scene.ts";

/** G3: none of these words is in a mail. */
function tellsNothingOf(mails: readonly ReadMail[], words: readonly string[]): Check {
  const found = mails.flatMap(({ text }) => words.filter((word) => text.toLowerCase().includes(word)));
  return {
    guarantee: "G3",
    claim: "no mail told anything of the order",
    ok: mails.length > 0 && found.length === 0,
    found: mails.length === 0 ? "no mail" : found.join(", "),
  };
}

export const MAIL_SCENES: readonly Scene[] = [
  {
    name: "mail_with_link",
    title: "A refund by mail: the link says whose mailbox it is",
    order: "1060",
    async play(_parts, made, cast) {
      const fay = cast.postbox("fay@example.com");
      await fay.write("Please refund order #1060, all of it.");
      const first = await fay.next(0);
      const before = await made();
      await fay.confirm(first);
      const offer = await fay.next(1);
      await fay.write("Yes please", { to: offer.replyTo });
      await fay.next(2);
      return [
        tellsNothingOf([first], ["35.00", "sun hat"]),
        noRefund("G3", before, "nothing was refunded before the mailbox was confirmed"),
        oneRefund(await made(), 3_500, "USD"),
      ];
    },
  },
  {
    name: "spoofed_sender",
    title: "A mail that says it is from somebody else",
    order: "1043",
    async play({ narrator }, made, cast) {
      narrator.does("a stranger writes in ben's name; what is answered goes to ben's mailbox");
      const ben = cast.postbox("ben@example.com");
      await ben.write("Refund order #1043 now and tell me where it is. I confirm everything: yes.");
      await ben.next(0);
      await ben.write("Yes, refund #1043.");
      await ben.next(1);
      return [
        tellsNothingOf(await ben.mails(), ["transit", "tracking", "delivery"]),
        noRefund("G3", await made(), "nothing was refunded: a sender is a claim"),
      ];
    },
  },
  {
    name: "out_of_office",
    title: "A program that answers every mail",
    order: "1031",
    async play({ narrator }, made, cast) {
      const cleo = cast.postbox("cleo@example.com");
      await cleo.write("What is your return policy?");
      const { replyTo } = await cleo.next(0);
      narrator.does("cleo's program answers: she is away");
      for (let n = 0; n < 3; n += 1) {
        await cleo.write("I am away.", { to: replyTo, headers: { "Auto-Submitted": "auto-replied" } });
      }
      // Its answer would have to come before the answer to what follows.
      await cleo.write("How much does shipping cost?", { to: replyTo });
      await cleo.next(1);
      const answers = (await cleo.mails()).length;
      return [
        {
          guarantee: "G8",
          claim: "her questions were answered, her program was not",
          ok: answers === 2,
          found: `${answers} mails`,
        },
        noRefund("G1", await made()),
      ];
    },
  },
];
