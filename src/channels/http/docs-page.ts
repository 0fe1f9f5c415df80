/** `/docs`: the API for people, made from the OpenAPI document; and `/`, what runs here. */
import { code, html, type Markup, page, paragraphs, prose } from "./html.ts";
import type { OpenApiDocument } from "./openapi.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}
interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { value?: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Readonly<Record<string, Media>> }>
  >;
}
interface Api {
  readonly info: { readonly description: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const WHO: Record<string, string> = {
  customer: "customer's token",
  operator: "operator's token",
  stripeSignature: "provider's signature",
};

export function docsPage(document: OpenApiDocument): string {
  const api = document as unknown as Api;
  const base = api.servers[0]?.url ?? "";
  const operations = Object.entries(api.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const groups = api.tags
    .map((tag) => ({ tag, members: operations.filter(({ operation }) => operation.tags.includes(tag.name)) }))
    .filter(({ members }) => members.length > 0);
  return page(
    "API",
    html`<h1>The API</h1>${paragraphs(api.info.description)}
<p class="soft">Version ${api.info.version} · <code>${base}</code> · <a href="/openapi.json">OpenAPI 3.1</a></p>
${groups.map(
  ({ tag, members }) =>
    html`<h2>${tag.name}</h2><p class="soft">${prose(tag.description)}</p>${members.map((member) => operationCard(api, base, member))}`,
)}
<h2>Shapes</h2>${Object.entries(api.components.schemas).map(
      ([name, schema]) =>
        html`<details class="card" id="shape-${name}"><summary><code>${name}</code></summary>${schema.description === undefined ? undefined : html`<p>${prose(schema.description)}</p>`}${shapeTable(schema)}</details>`,
    )}`,
  );
}

function operationCard(
  api: Api,
  base: string,
  { path, method, operation }: { path: string; method: string; operation: Operation },
): Markup {
  const who = Object.keys(operation.security[0] ?? {})[0];
  const body = Object.values(operation.requestBody?.content ?? {})[0];
  const parameters = operation.parameters ?? [];
  return html`<details class="card" id="${operation.operationId}"><summary><span class="verb ${method}">${method.toUpperCase()}</span> <code>${path}</code> <span>${operation.summary}</span> <span class="who">${who === undefined ? "public" : (WHO[who] ?? who)}</span></summary>
${operation.description === undefined ? undefined : paragraphs(operation.description)}
${
  parameters.length === 0
    ? undefined
    : html`<h4>Parameters</h4><div class="wide"><table><tbody>${parameters.map(
        (parameter) =>
          html`<tr><td><code>${parameter.name}</code></td><td>${parameter.in}${parameter.required === true ? "" : ", optional"}</td><td>${typeOf(parameter.schema)}</td><td>${prose(parameter.schema.description ?? "")}</td></tr>`,
      )}</tbody></table></div>`
}
${body?.schema === undefined ? undefined : html`<h4>Body</h4>${shapeTable(resolve(api, body.schema))}`}
<h4>Try it</h4>${code(curl(base, path, method, who, body))}
<h4>Answers</h4><div class="wide"><table><tbody>${Object.entries(operation.responses).map(
    ([status, answer]) => answerRow(status, answer),
  )}</tbody></table></div></details>`;
}

function answerRow(
  status: string,
  answer: { description: string; content?: Readonly<Record<string, Media>> },
): Markup {
  const [type, media] = Object.entries(answer.content ?? {})[0] ?? [];
  const isProblem = type === "application/problem+json";
  const what = isProblem
    ? Object.keys(media?.examples ?? {}).map(
        (name) => html`<a href="/docs/errors#${name}"><code>${name}</code></a> `,
      )
    : html`${answer.description} ${media?.schema === undefined ? undefined : typeOf(media.schema)}${
        media?.example === undefined
          ? undefined
          : code(typeof media.example === "string" ? media.example : JSON.stringify(media.example, null, 2))
      }`;
  return html`<tr><td><span class="status s${status[0] ?? "2"}">${status}</span></td><td>${what}</td></tr>`;
}

function curl(
  base: string,
  path: string,
  method: string,
  who: string | undefined,
  body: Media | undefined,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const isStream = path.endsWith("/stream");
  return [
    `curl ${isStream ? "-N " : ""}${method === "post" ? "-X POST " : ""}"${base}${filled}${isStream ? "?after_seq=0" : ""}"`,
    ...(who === "customer" || who === "operator" ? ['  -H "Authorization: Bearer $TOKEN"'] : []),
    ...(isStream ? ['  -H "Accept: text/event-stream"'] : []),
    ...(body?.example === undefined
      ? []
      : ['  -H "Content-Type: application/json"', `  -d '${JSON.stringify(body.example)}'`]),
  ].join(" \\\n");
}

function shapeTable(schema: Schema): Markup {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined)
    return html`<p>One of ${variants.map((variant) => html`${typeOf(variant)} `)}</p>`;
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length === 0) return html`<p class="soft">No members.</p>`;
  return html`<div class="wide"><table><tbody>${properties.map(
    ([name, member]) =>
      html`<tr><td><code>${name}</code></td><td>${typeOf(member)}${schema.required?.includes(name) === true ? "" : ", optional"}</td><td>${prose(member.description ?? "")}</td></tr>`,
  )}</tbody></table></div>`;
}

function typeOf(schema: Schema): Markup {
  const name = schema.$ref?.split("/").at(-1);
  if (name !== undefined) return html`<a href="#shape-${name}"><code>${name}</code></a>`;
  if (schema.enum !== undefined) {
    const shown = schema.enum.slice(0, 8).map((value) => html`<code>${String(value)}</code> `);
    return html`${shown}${schema.enum.length > 8 ? "…" : ""}`;
  }
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items)}`;
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants !== undefined) return html`${variants.map((variant) => html`${typeOf(variant)} `)}`;
  const types = schema.type === undefined ? ["any"] : [schema.type].flat();
  const bounds = [
    schema.format,
    schema.minimum === undefined || schema.minimum < -1e9 ? undefined : `from ${schema.minimum}`,
    schema.maximum === undefined || schema.maximum > 1e9 ? undefined : `to ${schema.maximum}`,
    schema.maxLength === undefined ? undefined : `at most ${schema.maxLength} characters`,
  ].filter((bound) => bound !== undefined);
  return html`${types.join(" or ")}${bounds.length === 0 ? "" : ` (${bounds.join(", ")})`}`;
}

const resolve = (api: Api, schema: Schema): Schema =>
  schema.$ref === undefined
    ? schema
    : (api.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? schema);

export function landingPage(baseUrl: string, isDemo: boolean): string {
  const talk = isDemo
    ? html`<p>This is the demo: a sandbox shop and a payment server run beside it, and no real money moves. In another terminal, in the project's folder:</p>${code("npm run recourse -- chat --as ada")}
<p>or with any HTTP client:</p>${code(
        [
          `TOKEN=$(curl -s ${baseUrl}/demo/token -H 'Content-Type: application/json' -d '{"customer":"ada"}' | jq -r .token)`,
          `CONVERSATION=$(curl -s -X POST ${baseUrl}/v1/conversations -H "Authorization: Bearer $TOKEN" | jq -r .conversation_id)`,
          `curl -s ${baseUrl}/v1/conversations/$CONVERSATION/messages -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"client_message_id":"1","text":"I would like a refund for order #1042"}'`,
          `curl -N ${baseUrl}/v1/conversations/$CONVERSATION/stream -H "Authorization: Bearer $TOKEN" -H 'Accept: text/event-stream'`,
        ].join("\n"),
      )}`
    : html`<p>Clients send a token that the shop signed for its customer, and chat through the API:</p>${code(
        `curl -X POST ${baseUrl}/v1/conversations -H "Authorization: Bearer $TOKEN"`,
      )}`;
  return page(
    "Support",
    html`<h1>Recourse runs here</h1>
<p>Customer support that may act: it answers from the shop's orders, and a refund happens at most once, and is only said to have happened when the payment provider has confirmed it.</p>
<h2>Talk to it</h2>${talk}
<h2>Look further</h2><div class="tiles">
<div class="card"><h3><a href="/docs">The API</a></h3><p>Every path, with shapes and examples.</p></div>
<div class="card"><h3><a href="/docs/errors">Error codes</a></h3><p>What each means and what to do.</p></div>
<div class="card"><h3><a href="/readyz">Readiness</a></h3><p>What works now and what is missing.</p></div>
<div class="card"><h3><a href="/openapi.json">OpenAPI</a></h3><p>The machine's copy of the documentation.</p></div></div>`,
  );
}
