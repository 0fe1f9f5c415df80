/** Reviews as lines of text: the queue, and everything a person needs to decide one. Pure. */
import { hanging, type Paint, padTo, plainLine, plainText } from "../terminal.ts";

/** A review as the API gives it; read loosely. */
export interface Review {
  readonly review_id: string;
  readonly kind: string;
  readonly state: string;
  readonly version: number;
  readonly reason: string;
  readonly customer_id: string;
  readonly conversation_id: string;
  readonly action_id: string | null;
  readonly args_hash: string | null;
  readonly priority?: string;
  readonly order_number?: string | null;
  readonly amount?: string | null;
  readonly currency?: string | null;
  readonly sla?: {
    readonly due_at: string | null;
    readonly left_ms: number;
    readonly running: boolean;
    readonly overdue: boolean;
  };
  readonly claim?: { readonly by: string; readonly until: string } | null;
  readonly first_approval?: { readonly by: string } | null;
  readonly asked?: { readonly question: string; readonly answer: string | null } | null;
  readonly undo_until?: string | null;
  /** Of one review; lists have none. */
  readonly packet?: Packet;
  readonly decision: Decision | null;
  readonly created_at: string;
  readonly expires_at: string | null;
}

interface Packet {
  readonly customer?: string;
  readonly issue?: string;
  readonly tried?: readonly string[];
  readonly recommended?: string;
  readonly clauses?: readonly {
    clause_id: string;
    title: string;
    text: string;
    policy: string;
    version: string;
  }[];
  readonly facts?: Readonly<Record<string, unknown>> | null;
  readonly amount?: string | null;
  readonly order_number?: string | null;
  readonly transcript?: readonly { author: string; text: string; at: string }[];
}

export interface Decision {
  readonly decision_id?: string;
  readonly decision: string;
  readonly decided_by: string;
  readonly at: string;
  readonly note: string | null;
}

export interface ReviewLook {
  readonly paint: Paint;
  readonly width: number;
  readonly nowMs: number;
}

/** One block of two lines a review, soonest due first. */
export function reviewListLines(reviews: readonly Review[], all: boolean, look: ReviewLook): string[] {
  const { paint } = look;
  if (reviews.length === 0)
    return [all ? "There are no reviews." : "The queue is empty: nothing waits for a person."];
  return reviews.flatMap((review) => {
    const about = [
      review.amount ? `${plainLine(review.amount, 40)} ${plainLine(review.currency ?? "", 3)}` : "",
      review.order_number ? `order #${plainLine(review.order_number, 30)}` : "",
      plainLine(review.customer_id, 40),
    ].filter((part) => part !== "");
    return [
      `${paint("bold", plainLine(review.review_id, 60))}  ${padTo(kindWords(review), 18)} ${paint("dim", ageWords(review.created_at, look.nowMs))}`,
      `  ${[...about, reasonWords(review.reason), ...workWords(review)].join(" · ")}${decidedWords(review)}`,
    ];
  });
}

/** The whole packet; with `how`, the commands that decide it. */
export function reviewLines(review: Review, look: ReviewLook, how: boolean): string[] {
  const { paint, width } = look;
  const { packet = {} } = review;
  const part = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", paint("bold", title), ...lines];
  const text = (value: unknown) =>
    plainText(value) === "" ? [] : hanging("  ", "  ", plainText(value), width);
  return [
    `${paint("bold", plainLine(review.review_id, 60))}  ${kindWords(review)}${decidedWords(review)}`,
    ...hanging(
      "  ",
      "  ",
      [
        `customer ${plainLine(packet.customer ?? review.customer_id, 120)}`,
        packet.order_number ? `order #${plainLine(packet.order_number, 30)}` : "",
        packet.amount ? plainLine(packet.amount, 40) : "",
        `opened ${ageWords(review.created_at, look.nowMs)}`,
        review.expires_at !== null && review.state === "open"
          ? `ends ${untilWords(review.expires_at, look.nowMs)}`
          : "",
        ...workWords(review),
        review.action_id === null ? "" : plainLine(review.action_id, 60),
      ]
        .filter((word) => word !== "")
        .join(" · "),
      width,
    ),
    ...part("What it is about", text(packet.issue)),
    ...part(
      "What was tried",
      (packet.tried ?? []).flatMap((tried) => hanging("  • ", "    ", plainText(tried), width)),
    ),
    ...part("Recommended", text(packet.recommended)),
    ...part(
      "Policy",
      (packet.clauses ?? []).flatMap((clause) => [
        ...hanging("  § ", "    ", `${plainLine(clause.title, 120)}: ${plainText(clause.text)}`, width),
        paint(
          "dim",
          `    ${plainLine(clause.policy, 60)} ${plainLine(clause.version, 30)}, clause ${plainLine(clause.clause_id, 60)}`,
        ),
      ]),
    ),
    ...part("Facts", factLines(packet.facts ?? null, width)),
    ...(review.asked == null
      ? []
      : part("Asked", [
          ...text(review.asked.question),
          ...(review.asked.answer === null ? ["  no answer yet"] : text(review.asked.answer)),
        ])),
    ...part(
      "Transcript",
      (packet.transcript ?? []).flatMap((entry) =>
        hanging(
          `  ${paint("cyan", padTo(plainLine(entry.author, 10), 9))}`,
          " ".repeat(11),
          plainText(entry.text),
          width,
        ),
      ),
    ),
    ...(how && review.state === "open" ? part("To decide", howToDecide(review)) : []),
    ...decisionLines(review, look),
  ];
}

function howToDecide(review: Review): string[] {
  const id = `${plainLine(review.review_id, 60)} --seen ${review.version}`;
  return review.kind === "approval"
    ? [`  recourse approve ${id}`, `  recourse reject ${id} --note "what the customer should read"`]
    : [
        `  recourse resolve ${id}${review.kind === "handoff" ? ' --note "your answer to the customer"' : ' --note "what you found"'}`,
      ];
}

function decisionLines(review: Review, look: ReviewLook): string[] {
  const { decision } = review;
  if (decision === null) return [];
  const note = plainText(decision.note ?? "");
  return [
    "",
    look.paint("bold", "Decision"),
    `  ${plainLine(decision.decision, 20)} by ${plainLine(decision.decided_by, 80)} at ${plainLine(decision.at, 40)}`,
    ...(note === "" ? [] : hanging("  ", "  ", `“${note}”`, look.width)),
  ];
}

/** Facts as `order.daysSinceDelivery = 6`, one a line. */
export function factLines(facts: unknown, width: number): string[] {
  const lines: string[] = [];
  const walk = (value: unknown, path: string) => {
    if (lines.length >= 200) return;
    if (value !== null && typeof value === "object" && !Array.isArray(value)) {
      for (const [name, member] of Object.entries(value))
        walk(member, path === "" ? name : `${path}.${name}`);
    } else if (path !== "") {
      lines.push(
        ...hanging("  ", "    ", `${plainLine(path, 80)} = ${plainLine(JSON.stringify(value), 200)}`, width),
      );
    }
  };
  walk(facts, "");
  return lines;
}

/** How urgent it is, how long there is, and who works on it. */
function workWords(review: Review): string[] {
  const { sla, claim, priority, first_approval: first } = review;
  if (review.state !== "open" && review.state !== "waiting") return [];
  return [
    priority === undefined || priority === "normal" ? "" : plainLine(priority, 10),
    review.state === "waiting" ? "waits for the customer" : "",
    sla?.due_at == null
      ? ""
      : sla.overdue
        ? `overdue by ${spanWords(-sla.left_ms)}`
        : `${spanWords(sla.left_ms)} left${sla.running ? "" : " (closed now)"}`,
    claim == null ? "" : `with ${plainLine(claim.by, 60)}`,
    first == null ? "" : `first approval by ${plainLine(first.by, 60)}`,
  ].filter((word) => word !== "");
}

const kindWords = ({ kind }: Review): string =>
  ({ approval: "approval", handoff: "handoff", uncertain: "uncertain outcome" })[kind] ?? plainLine(kind, 20);

const reasonWords = (reason: string): string => plainLine(reason, 120).replaceAll("_", " ");

function decidedWords(review: Review): string {
  if (review.state === "open" || review.state === "waiting") return "";
  return review.decision === null
    ? ` · ${plainLine(review.state, 20)}`
    : ` · ${plainLine(review.decision.decision, 20)} by ${plainLine(review.decision.decided_by, 60)}`;
}

const UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

function spanWords(ms: number): string {
  const [size, unit] = UNITS.find(([each]) => ms >= each) ?? [1_000, "s"];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}

const ageWords = (at: string, nowMs: number): string => `${spanWords(nowMs - Date.parse(at))} ago`;
const untilWords = (at: string, nowMs: number): string => `in ${spanWords(Date.parse(at) - nowMs)}`;
