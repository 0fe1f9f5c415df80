/** Operators: what customers thought of it. */
import { z } from "@hono/zod-openapi";
import type { Clock } from "../../../kernel/ports.ts";
import type { Desk } from "../../../operators/desk/desk.ts";
import { type Route, route } from "../route.ts";

const query = z.strictObject({
  from: z.iso.datetime().optional().openapi({ description: "Given at or after; else all." }),
  to: z.iso.datetime().optional().openapi({ description: "Given before; else until now." }),
});
const ratingsOf = z.object({
  count: z.int(),
  scores: z.array(z.int()).openapi({ description: "How many gave 1, 2, 3, 4 and 5." }),
  average: z.number().nullable(),
});
const ratings = z.object({ agent: ratingsOf, person: ratingsOf }).openapi("Ratings");

export const deskRatingRoutes = (desk: Desk, clock: Clock): Route[] => [
  route(
    {
      method: "get",
      path: "/v1/operator/ratings",
      access: "operator",
      permission: "conversations.read",
      operationId: "readRatings",
      tag: "Operators",
      summary: "See how customers rated, apart for what the agent and what a person solved",
      description:
        "A person solved what a person wrote in, or resolved by hand; the agent all else, an approval of its proposal included.",
      query,
      answers: {
        200: {
          description: "Counts.",
          schema: ratings,
          example: {
            agent: { count: 4, scores: [0, 0, 1, 1, 2], average: 4.25 },
            person: { count: 0, scores: [0, 0, 0, 0, 0], average: null },
          },
        },
      },
    },
    async ({ operator, query }) => ({
      status: 200,
      json: await desk.ratings(
        operator.scope,
        query.from === undefined ? 0 : Date.parse(query.from),
        query.to === undefined ? clock.now() + 1 : Date.parse(query.to),
      ),
    }),
  ),
];
