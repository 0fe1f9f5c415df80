import { describe, expect, test } from "vitest";
import { LIMITS } from "../../src/kernel/limits.ts";
import { createBreaker } from "../../src/models/breaker.ts";
import { VirtualClock } from "../kit/virtual-clock.ts";

const broken = () => {
  const clock = new VirtualClock(0);
  const breaker = createBreaker(clock);
  for (let n = 0; n < LIMITS.modelBreakerFailures; n += 1) {
    expect(breaker.mayAsk()).toBe(true);
    breaker.failed();
  }
  return { clock, breaker };
};

describe("the circuit breaker", () => {
  test("opens after failures in a row, and not when an answer comes between", () => {
    expect(broken().breaker.mayAsk()).toBe(false);
    const breaker = createBreaker(new VirtualClock(0));
    for (let n = 0; n < 3 * LIMITS.modelBreakerFailures; n += 1) {
      if (n % 2 === 0) breaker.failed();
      else breaker.answered();
    }
    expect(breaker.mayAsk()).toBe(true);
  });

  test("lets one question try after a while; its answer closes, its failure opens again", () => {
    const { clock, breaker } = broken();
    clock.jump(LIMITS.modelBreakerMs);
    expect([breaker.mayAsk(), breaker.mayAsk()]).toEqual([true, false]);
    breaker.failed();
    expect(breaker.mayAsk()).toBe(false);
    clock.jump(LIMITS.modelBreakerMs);
    expect(breaker.mayAsk()).toBe(true);
    breaker.answered();
    expect([breaker.mayAsk(), breaker.mayAsk()]).toEqual([true, true]);
  });

  test("a try that was given up, or never heard of again, does not lock the door", () => {
    const { clock, breaker } = broken();
    clock.jump(LIMITS.modelBreakerMs);
    expect(breaker.mayAsk()).toBe(true);
    breaker.released();
    expect(breaker.mayAsk()).toBe(true);
    clock.jump(LIMITS.modelBreakerMs);
    expect(breaker.mayAsk()).toBe(true);
  });

  test("a pause keeps everyone from asking until it is over, and a shorter one does not shorten it", () => {
    const clock = new VirtualClock(0);
    const breaker = createBreaker(clock);
    breaker.pause(10_000);
    breaker.pause(1_000);
    clock.jump(9_999);
    expect(breaker.mayAsk()).toBe(false);
    clock.jump(1);
    expect(breaker.mayAsk()).toBe(true);
  });
});
