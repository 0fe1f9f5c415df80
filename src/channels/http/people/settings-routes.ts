/** The API for what is set for a tenant at run time. */
import type { Settings } from "../../../operators/settings/settings.ts";
import { AREAS, type Area } from "../../../operators/settings/shape.ts";
import { type Route, route } from "../route.ts";
import * as shapes from "./shapes.ts";
import { SAMPLE } from "./shapes.ts";

const areaExample = {
  area: "reviews",
  value: { ...AREAS.reviews.initial, second_limit: "500.00" },
  version: 1,
  updated_at: SAMPLE.at,
  updated_by: "ada@northwind.example",
};

export function settingsRoutes(settings: Settings): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/v1/operator/settings",
        access: "operator",
        permission: "settings.read",
        operationId: "readSettings",
        tag: "Team",
        summary: "Read what is set for the tenant",
        answers: {
          200: {
            description: "Each area with its version; what was never set has its default.",
            schema: shapes.settings,
            example: { areas: [areaExample] },
          },
        },
      },
      async ({ operator }) => ({ status: 200, json: { areas: await settings.list(operator.scope) } }),
    ),
    route(
      {
        method: "post",
        path: "/v1/operator/settings/{area}",
        access: "operator",
        permission: "settings.edit",
        operationId: "changeSettings",
        tag: "Team",
        summary: "Replace an area of the settings",
        description:
          "Counts from the next message or review on. If somebody has changed the area since, the answer is a 409 with what it says now.",
        params: shapes.areaParams,
        body: shapes.settingsBody,
        bodyExample: { value: areaExample.value, version: 0 },
        answers: {
          200: { description: "As it is now.", schema: shapes.settingsArea, example: areaExample },
        },
        problems: ["settings_changed", "amount_invalid"],
      },
      async ({ operator, params, body }) => ({
        status: 200,
        json: await settings.change(operator.scope, {
          area: params.area as Area,
          value: body.value,
          version: body.version,
          by: operator.operator,
        }),
      }),
    ),
  ];
}
