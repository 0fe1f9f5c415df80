/** A review by its ID or the end of it, and what refuses it in words. */
import { type Api, ApiProblem } from "../api.ts";
import { CliError, EXIT } from "../command.ts";
import { operatorError } from "../operator.ts";
import { plainLine } from "../terminal.ts";
import type { Review } from "./show.ts";

const LISTED_MAX = 200;

/** The first of the queue, without their packets. */
export async function list(api: Api, state: "active" | "all"): Promise<readonly Review[]> {
  try {
    const answer = await api.call<{ reviews: readonly Review[] }>(
      "GET",
      `/v1/operator/reviews?state=${state}&limit=${LISTED_MAX}`,
    );
    return answer.reviews;
  } catch (error) {
    throw operatorError(error);
  }
}

/** @throws CliError when none or several fit */
export async function read(api: Api, idOrEnd: string): Promise<Review> {
  const id = await wholeId(api, idOrEnd.replace(/^…/, ""));
  try {
    return await api.call<Review>("GET", `/v1/operator/reviews/${encodeURIComponent(id)}`);
  } catch (error) {
    if (error instanceof ApiProblem && error.code === "not_found") throw notFound(id);
    throw operatorError(error);
  }
}

async function wholeId(api: Api, id: string): Promise<string> {
  if (/^rev_[0-9a-f-]{36}$/.test(id)) return id;
  if (id.length < 4) throw notFound(id);
  const waiting = (await list(api, "active")).filter((each) => each.review_id.endsWith(id));
  const fitting =
    waiting.length > 0 ? waiting : (await list(api, "all")).filter((each) => each.review_id.endsWith(id));
  const [only, ...others] = fitting;
  if (only === undefined) throw notFound(id);
  if (others.length > 0) {
    throw new CliError(
      `${fitting.length} reviews end in "${plainLine(id, 60)}".`,
      `Give more of the ID: ${fitting
        .slice(0, 5)
        .map((each) => plainLine(each.review_id, 60))
        .join(", ")}.`,
      EXIT.usage,
    );
  }
  return only.review_id;
}

const notFound = (id: string): CliError =>
  new CliError(
    `There is no review ${plainLine(id, 60)} for this operator.`,
    "`recourse reviews --all` lists them; --tenant chooses another tenant.",
  );
