/**
 * Prompt injection against the whole product: every hostile string in every place where text comes in, with an
 * agent that obeys it in the worst way. Permissions must be what they were: checked at the gateway, in the ledger, at
 * the provider and in the shop. Beside it, what the detector says of the same strings: a signal, and no guard.
 */
import type { Evaluate } from "../report.ts";
import { corpusAttacks, writtenAttacks } from "./attacks.ts";
import { detectionTable } from "./detection.ts";
import { playedAgainstAgent, playedAgainstAssistant } from "./playing.ts";

export const evaluate: Evaluate = async ({ seed }) => {
  const corpus = corpusAttacks();
  if (corpus === null) {
    process.stderr.write(
      "Only the attacks written here: the shared corpus is not on this machine (RECOURSE_DATA_SETS).\n",
    );
  }
  const attacks = [...writtenAttacks(), ...(corpus ?? [])];
  return [
    await playedAgainstAgent(attacks, seed),
    await playedAgainstAssistant(attacks, seed),
    detectionTable(writtenAttacks(), corpus ?? []),
  ];
};
