import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createApi, fixedToken } from "../../src/cli/api.ts";
import { followConversation } from "../../src/cli/chat/conversation.ts";
import { runCommand } from "../../src/cli/main.ts";
import { seededRandom, systemClock } from "../../src/kernel/ports.ts";
import { run, testTerminal } from "./io.ts";
import { type ShopDouble, says, startShop } from "./shop-double.ts";

let shop: ShopDouble;
beforeEach(async () => {
  shop = await startShop((text, double) => says(double, `You said: ${text}`));
});
afterEach(() => shop.stop().catch(() => {}));

const chat = (typed: string, ...options: string[]) =>
  run(["chat", "--as", "ada", "--url", shop.url, "--wait", "0", ...options], typed);

const conversation = () =>
  followConversation(
    {
      api: createApi({ url: shop.url, clock: systemClock }).as(fixedToken("t")),
      clock: systemClock,
      random: seededRandom(7),
      maxPauseMs: 50,
    },
    "conv_1",
  );

describe("a piped chat", () => {
  test("sends each line after the answer to the one before, then leaves", async () => {
    const { code, out } = await chat("one\ntwo\nthree\n");
    expect(code).toBe(0);
    expect(shop.posts.map(({ text }) => text)).toEqual(["one", "two", "three"]);
    const order = ["one", "You said: one", "two", "You said: two", "three", "You said: three"];
    expect(order.map((text) => out.indexOf(text))).toEqual(
      order.map((text) => out.indexOf(text)).toSorted((a, b) => a - b),
    );
    expect(out.match(/You said: two/g)).toHaveLength(1);
  });

  test("does not send the next line while a refund is on its way untold", async () => {
    shop.answer = (text, double) => {
      if (text !== "Yes") return says(double, "Shall I go ahead?", { quick_replies: ["Yes", "No"] });
      const action = {
        action_id: "act_1",
        kind: "refund",
        amount: "24.00",
        currency: "USD",
        order_number: "1042",
      };
      double.append({ type: "run", run_id: "run_x", state: "queued" });
      double.append({ type: "action", ...action, state: "executing", text: "" });
      double.append({ type: "run", run_id: "run_x", state: "completed" });
      systemClock.after(60, () => {
        double.append({ type: "action", ...action, state: "succeeded", text: "" });
        double.append({ type: "message", author: "agent", text: "It is confirmed." });
      });
    };
    const { code, out } = await chat("refund the socks\n1\nthanks\n");
    expect(code).toBe(0);
    expect(shop.posts.map(({ text }) => text)).toEqual(["refund the socks", "Yes", "thanks"]);
    expect(out.indexOf("It is confirmed.")).toBeLessThan(out.indexOf("thanks"));
  });

  test("a number picks a quick reply only where one is offered", async () => {
    await chat("2\n");
    expect(shop.posts.map(({ text }) => text)).toEqual(["2"]);
  });

  test("a line that ends in a backslash goes on in the next", async () => {
    await chat("first part\\\nsecond part\n");
    expect(shop.posts.map(({ text }) => text)).toEqual(["first part\nsecond part"]);
  });

  test("commands are not sent, and /quit leaves before the rest", async () => {
    const { code } = await chat("/help\n/id\n/nonsense\n//literal\n/quit\nnever\n");
    expect(code).toBe(0);
    expect(shop.posts.map(({ text }) => text)).toEqual(["/literal"]);
  });

  test("a message whose acceptance was lost is sent again under the same ID and stored once", async () => {
    shop.nextPosts = ["lost_after_store"];
    const { code, out } = await chat("only once\n");
    expect(code).toBe(0);
    expect(new Set(shop.posts.map((post) => post.client_message_id)).size).toBe(1);
    expect(shop.log.filter((event) => event.author === "customer")).toHaveLength(1);
    expect(out.match(/You said: only once/g)).toHaveLength(1);
  });

  test("a server that is busy is asked again; one that refuses the line is not", async () => {
    shop.nextPosts = [503, 429];
    expect((await chat("patience\n")).code).toBe(0);
    shop.posts.length = 0;
    shop.nextPosts = [422];
    const refused = await chat("too long\n");
    expect(refused.code).toBe(1);
    expect(refused.err).toContain("Line 1 was refused");
    expect(shop.posts).toHaveLength(1);
  });

  test("waits no longer than --timeout for an answer", async () => {
    shop.answer = () => {};
    const { code, err } = await chat("hello?\n", "--timeout", "1");
    expect(code).toBe(1);
    expect(err).toContain("--conversation conv_1");
  });

  test("Ctrl-C ends it with 130", async () => {
    const terminal = testTerminal(undefined);
    const running = runCommand(["chat", "--as", "ada", "--url", shop.url], terminal.io);
    terminal.input.write("hello\n");
    await expect.poll(() => terminal.shown()).toContain("You said: hello");
    terminal.interrupt();
    expect(await running).toBe(130);
  });

  test("text from the server cannot steer the terminal", async () => {
    shop.answer = (_text, double) =>
      says(double, "\u001b[2J\u001b]0;owned\u0007Hello\u0008\u202e there\u001b[31m!\u009b1m\r\nbye");
    const { out } = await chat("hi\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(out).toContain("Hello there!");
  });
});

describe("a chat at a terminal", () => {
  /** Streams that say that they are a terminal. */
  const typing = () => {
    const terminal = testTerminal(undefined, { TERM: "xterm" });
    Object.assign(terminal.input, { isTTY: true, setRawMode: () => terminal.input });
    Object.assign(terminal.io.output, { isTTY: true, columns: 80 });
    const running = runCommand(["chat", "--as", "ada", "--url", shop.url], terminal.io);
    const sees = (text: string) => expect.poll(() => terminal.shown(), { timeout: 3_000 }).toContain(text);
    return { ...terminal, running, sees };
  };

  test("sends what is typed, picks a quick reply by its number, and leaves on /quit", async () => {
    shop.answer = (text, double) => says(double, `You said: ${text}`, { quick_replies: ["Yes", "No"] });
    const { input, running, sees } = typing();
    await sees("/help");
    input.write("hello\r");
    await sees("You said: hello");
    await sees("[2]");
    input.write("2\r");
    await sees("You said: No");
    input.write("/quit\r");
    expect(await running).toBe(0);
    expect(shop.posts.map(({ text }) => text)).toEqual(["hello", "No"]);
  });

  test("a pasted text of several lines is one message, sent on Enter only", async () => {
    const { input, running, sees } = typing();
    await sees("/help");
    input.write("\u001b[200~one\ntwo\n\u001b[201~");
    await sees("one⏎two");
    expect(shop.posts).toEqual([]);
    input.write("\r");
    await sees("You said: one");
    expect(shop.posts.map(({ text }) => text)).toEqual(["one\ntwo"]);
    input.write("/quit\r");
    expect(await running).toBe(0);
  });

  test("shows that it reconnects and sends what was typed meanwhile once it is back", async () => {
    const { input, running, sees } = typing();
    await sees("/help");
    input.write("first\r");
    await sees("You said: first");
    await shop.stop();
    await sees("reconnecting…");
    input.write("second\r");
    await sees("not sent yet");
    await shop.restart();
    await sees("You said: second");
    expect(shop.log.filter((event) => event.author === "customer").map(({ text }) => text)).toEqual([
      "first",
      "second",
    ]);
    input.write("\u0003");
    await sees("Ctrl-C again");
    input.write("\u0003");
    expect(await running).toBe(0);
  });
});

describe("a conversation over a weak link", () => {
  test("shows every event once and in order across cuts, repeats and a skipped event", async () => {
    const live = conversation();
    shop.append({ type: "message", author: "agent", text: "1" });
    await live.until((events) => events[0], 2_000, "1");
    shop.cutStreams();
    shop.append({ type: "message", author: "agent", text: "2" });
    await live.until((events) => events[1], 2_000, "2");
    shop.repeats = true;
    shop.cutStreams();
    await expect.poll(() => live.state.kind).toBe("live");
    shop.skipOnce = 3;
    for (const text of ["3", "4", "5"]) shop.append({ type: "message", author: "agent", text });
    await live.until((events) => events[4], 2_000, "5");
    expect(live.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(live.events.map(({ text }) => text)).toEqual(["1", "2", "3", "4", "5"]);
    await live.close();
  });

  test("messages written while the server is away arrive once each, in order, after it is back", async () => {
    const live = conversation();
    await expect.poll(() => live.state.kind).toBe("live");
    await shop.stop();
    await expect.poll(() => live.state.kind).toBe("reconnecting");
    const sending = ["a", "b", "c"].map((text) => live.send(text));
    expect(live.unsent).toBe(3);
    await shop.restart();
    await Promise.all(sending);
    const stored = shop.log.filter((event) => event.author === "customer").map(({ text }) => text);
    expect(stored).toEqual(["a", "b", "c"]);
    await expect.poll(() => live.unsent).toBe(0);
    await live.close();
  });
});

describe("a chat that cannot start", () => {
  test("says how to start the server", async () => {
    await shop.stop();
    const { code, err } = await chat("hi\n");
    expect(code).toBe(3);
    expect(err).toContain("npm start");
    await shop.restart();
  });

  test("names customers that exist", async () => {
    const { code, err } = await run(["chat", "--as", "nobody", "--url", shop.url], "hi\n");
    expect(code).toBe(1);
    expect(err).toContain("ada");
  });

  test.each([
    [["chat"], "--as"],
    [["chat", "--as", "ada", "--token", "t"], "exclude"],
    [["chat", "--as", "ada", "--nonsense"], "nonsense"],
    [["chat", "--as", "ada", "extra"], "extra"],
    [["chat", "--as", "ada", "--timeout", "soon"], "--timeout"],
    [["nonsense"], "nonsense"],
    [["review"], "ID"],
    [["reject", "rev_1"], "note"],
  ])("refuses %j as wrong arguments", async (args, mention) => {
    const { code, err } = await run(args);
    expect(code).toBe(2);
    expect(err).toContain(mention);
  });

  test("every command explains itself", async () => {
    const { COMMANDS } = await import("../../src/cli/main.ts");
    for (const { name } of COMMANDS) {
      const { code, out } = await run([...name.split(" "), "--help"]);
      expect(code).toBe(0);
      expect(out).toContain(`recourse ${name}`);
    }
    const { out } = await run([]);
    for (const { name } of COMMANDS) expect(out).toContain(name);
  });
});
