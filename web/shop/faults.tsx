/** What the sandbox's payment provider is to do wrong with the next refund. */
import { useEffect, useState } from "preact/hooks";
import { faults } from "./api.ts";

const CHOICES = [
  ["timeout_after_accept", "Takes the refund, never answers"],
  ["reset_after_accept", "Takes the refund, cuts the line"],
  ["timeout_before_accept", "Never answers"],
  ["error_500_before_accept", "Answers with an error"],
  ["rate_limited", "Asks to slow down"],
  ["declined", "Declines the refund"],
  ["pending_then_succeeded", "Takes its time, then pays"],
  ["pending_then_failed", "Takes its time, then fails"],
  ["outage", "Is away until you end it"],
] as const;

export function Faults() {
  const [armed, setArmed] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const take = (asked: Promise<readonly string[]>) =>
    asked.then(
      (now) => {
        setArmed(now);
        setProblem(null);
      },
      (error: Error) => setProblem(error.message),
    );
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again and again, from the start
  useEffect(() => {
    void take(faults());
    const timer = setInterval(() => document.visibilityState === "visible" && void take(faults()), 2_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <section class="box" aria-labelledby="faults-title">
      <h2 id="faults-title">Break the payment provider</h2>
      <p class="hint">With the next refund it …</p>
      <ul class="faults">
        {CHOICES.map(([fault, what]) => {
          const times = armed.filter((each) => each === fault).length;
          return (
            <li key={fault}>
              <button type="button" aria-pressed={times > 0} onClick={() => void take(faults(fault))}>
                {what}
                {times > 1 ? ` (${times} times)` : ""}
              </button>
            </li>
          );
        })}
      </ul>
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <button type="button" disabled={armed.length === 0} onClick={() => void take(faults("none"))}>
        All works again
      </button>
    </section>
  );
}
