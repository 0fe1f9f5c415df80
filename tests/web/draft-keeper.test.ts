/** An operator's unfinished answer: kept in order, and never at the cost of what another window has kept. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { Problem } from "../../web/console/api/client.ts";
import type { Draft } from "../../web/console/api/conversations.ts";
import {
  createDraftKeeper,
  type DraftKeeper,
  PAUSE_MS,
  type Unsaved,
} from "../../web/console/pages/conversations/draft-keeper.ts";

/** The server's one draft, which refuses a version that is not the latest. */
let stored: Draft | null;
let saves: string[];
/** Answers that get lost although the server has done it. */
let lost: number;
let isOffline: boolean;

async function save(text: string, version: number): Promise<Draft | null> {
  if (isOffline) throw new Problem(0, { code: "offline" }, null);
  if ((stored?.version ?? 0) !== version) {
    throw new Problem(409, { code: "draft_changed", draft: stored }, null);
  }
  stored = text === "" ? null : { text, version: version + 1 };
  saves.push(text);
  if (lost > 0) {
    lost -= 1;
    throw new Problem(0, { code: "offline" }, null);
  }
  return stored;
}
const open = (unsaved: Unsaved | null = null): DraftKeeper =>
  createDraftKeeper({ initial: stored, unsaved, save, look: async () => stored, changed: () => {} });
const pause = () => vi.advanceTimersByTimeAsync(PAUSE_MS);

beforeEach(() => {
  vi.useFakeTimers();
  stored = null;
  saves = [];
  lost = 0;
  isOffline = false;
});

describe("a draft", () => {
  test("is kept once after the last key, not at each", async () => {
    const keeper = open();
    for (const text of ["H", "He", "Hel"]) keeper.write(text);
    await pause();
    expect(saves).toEqual(["Hel"]);
    expect(keeper.view()).toMatchObject({ state: "kept", text: "Hel" });
  });

  test("of another window is not overwritten by the next keys; the operator keeps one of both", async () => {
    const [here, there] = [open(), open()];
    there.write("from there");
    await pause();
    here.write("from here");
    await pause();
    expect(here.view()).toMatchObject({ state: "changed", text: "from here", other: { text: "from there" } });
    here.write("from here, longer");
    await pause();
    await here.save();
    expect(stored?.text).toBe("from there");
    await here.keepMine();
    expect(stored?.text).toBe("from here, longer");
    there.write("again from there");
    await pause();
    there.takeOther();
    expect(there.view()).toMatchObject({ state: "kept", text: "from here, longer" });
    there.write("from here, longer, and on");
    await pause();
    expect(stored?.text).toBe("from here, longer, and on");
  });

  test("that was sent in another window is not silently begun again", async () => {
    stored = { text: "the answer", version: 3 };
    const here = open();
    stored = null;
    here.write("the answer.");
    await pause();
    expect(here.view()).toMatchObject({ state: "changed", other: null });
    expect(stored).toBeNull();
    here.takeOther();
    expect(here.view()).toMatchObject({ state: "kept", text: "" });
  });

  test("whose save's answer got lost is no conflict with itself", async () => {
    const keeper = open();
    lost = 1;
    keeper.write("once");
    await pause();
    expect(keeper.view().state).toBe("unsaved");
    await keeper.save();
    expect(keeper.view()).toMatchObject({ state: "kept", text: "once" });
    expect(saves).toEqual(["once"]);
  });

  test("that could not be kept waits, and comes back with the next visit", async () => {
    const first = open();
    isOffline = true;
    first.write("in a tunnel");
    await pause();
    const left = first.unsaved();
    expect(left).toEqual({ text: "in a tunnel", version: 0 });
    isOffline = false;
    const second = open(left);
    expect(second.view()).toMatchObject({ state: "unsaved", text: "in a tunnel" });
    await second.save();
    expect(stored?.text).toBe("in a tunnel");
  });

  test("that waited while another window wrote is shown beside the other's", async () => {
    stored = { text: "newer", version: 1 };
    expect(open({ text: "in a tunnel", version: 0 }).view()).toMatchObject({
      state: "changed",
      text: "in a tunnel",
      other: { text: "newer" },
    });
  });

  test("that is newer elsewhere is taken over while nothing is unsaved, and never after it was sent", async () => {
    const keeper = open();
    keeper.adopt({ text: "from there", version: 2 });
    expect(keeper.view().text).toBe("from there");
    keeper.write("my own");
    keeper.adopt({ text: "later", version: 3 });
    expect(keeper.view().text).toBe("my own");
    await keeper.settle();
    keeper.sent();
    keeper.adopt({ text: "from there", version: 2 });
    expect(keeper.view().text).toBe("");
  });
});
