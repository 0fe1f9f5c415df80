/** Scores of a classifier: per label, over labels, of confidence, of what is left when it may abstain. */
export interface Judged {
  readonly gold: string;
  readonly said: string;
  readonly confidence: number;
  /** Other labels that a lenient judge lets pass. */
  readonly accept?: readonly string[];
}

export function f1Of(label: string, judged: readonly Judged[]): number {
  let right = 0;
  let wrong = 0;
  for (const { gold, said } of judged) {
    if (gold === label && said === label) right += 1;
    else if (gold === label || said === label) wrong += 1;
  }
  return right === 0 ? 0 : (2 * right) / (2 * right + wrong);
}

/** Mean of F1 over the labels that occur in the part. */
export function macroF1(judged: readonly Judged[]): number {
  const labels = [...new Set(judged.map(({ gold }) => gold))];
  return labels.reduce((sum, label) => sum + f1Of(label, judged), 0) / Math.max(1, labels.length);
}

const isRight = ({ gold, said }: Judged): boolean => gold === said;
const passes = ({ gold, said, accept = [] }: Judged): boolean => gold === said || accept.includes(said);
const share = (judged: readonly Judged[], holds: (it: Judged) => boolean): number =>
  judged.length === 0 ? 0 : judged.filter(holds).length / judged.length;

export const accuracy = (judged: readonly Judged[]): number => share(judged, isRight);
export const lenientAccuracy = (judged: readonly Judged[]): number => share(judged, passes);

/** Expected calibration error over ten bins of equal width: 0 is perfect. */
export function calibrationError(judged: readonly Judged[]): number {
  let error = 0;
  for (let bin = 0; bin < 10; bin += 1) {
    const inside = judged.filter(({ confidence }) => Math.min(9, Math.floor(confidence * 10)) === bin);
    if (inside.length === 0) continue;
    const mean = inside.reduce((sum, { confidence }) => sum + confidence, 0) / inside.length;
    error += (inside.length / judged.length) * Math.abs(accuracy(inside) - mean);
  }
  return error;
}

/** How much is answered at a threshold, and how often that is right. */
export function abstaining(
  judged: readonly Judged[],
  threshold: number,
): { answered: number; right: number } {
  const kept = judged.filter(({ confidence }) => confidence >= threshold);
  return { answered: kept.length / Math.max(1, judged.length), right: accuracy(kept) };
}

export function confusion(judged: readonly Judged[], labels: readonly string[]): string {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  return [
    row(["gold \\ said", ...labels]),
    row(["---", ...labels.map(() => "---:")]),
    ...labels.map((gold) =>
      row([
        gold,
        ...labels.map((said) => judged.filter((it) => it.gold === gold && it.said === said).length),
      ]),
    ),
  ].join("\n");
}

export interface Detected {
  readonly gold: boolean;
  readonly said: boolean;
}
/** Precision and recall; 1 where nothing was said, or nothing was there to be found. */
export function detection(rows: readonly Detected[]): { precision: number; recall: number } {
  const said = rows.filter((row) => row.said);
  const there = rows.filter((row) => row.gold);
  const both = said.filter((row) => row.gold).length;
  return {
    precision: said.length === 0 ? 1 : both / said.length,
    recall: there.length === 0 ? 1 : both / there.length,
  };
}
