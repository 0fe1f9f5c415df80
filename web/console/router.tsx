/** Addresses of the console: a filter and what is chosen are in them, so that a link shows the same. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { Layout } from "./layout.tsx";
import { Empty, Failure } from "./parts/base.tsx";

const root = createRootRoute({
  component: Layout,
  notFoundComponent: () => <Empty title="There is no such page">Choose one above.</Empty>,
  errorComponent: ({ error, reset }) => <Failure error={error} retry={reset} />,
});

const text = (value: unknown): string | undefined =>
  typeof value === "number" ? String(value) : typeof value === "string" && value !== "" ? value : undefined;
/** Only what was given, and only as text. */
const texts =
  <Name extends string>(...names: readonly Name[]) =>
  (search: Record<string, unknown>): Partial<Record<Name, string>> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = text(search[name]);
        return value === undefined ? [] : [[name, value]];
      }),
    ) as Partial<Record<Name, string>>;

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/queue" as never });
  },
});
const queue = createRoute({
  getParentRoute: () => root,
  path: "/queue",
  validateSearch: (search: Record<string, unknown>) => ({
    ...texts("state", "kind", "priority", "claim", "language", "review")(search),
    ...(search.overdue === true || search.overdue === "true" ? { overdue: true } : {}),
  }),
  component: lazyRouteComponent(() => import("./pages/queue/queue-page.tsx"), "QueuePage"),
});

const conversations = createRoute({
  getParentRoute: () => root,
  path: "/conversations",
  validateSearch: texts("q", "order_number", "customer_id", "status", "tag", "assignee", "conversation"),
  component: lazyRouteComponent(
    () => import("./pages/conversations/conversations-page.tsx"),
    "ConversationsPage",
  ),
});

const mails = createRoute({
  getParentRoute: () => root,
  path: "/mails",
  validateSearch: texts("verdict", "handled", "mail"),
  component: lazyRouteComponent(() => import("./pages/mails/mails-page.tsx"), "MailsPage"),
});
const actions = createRoute({
  getParentRoute: () => root,
  path: "/actions",
  validateSearch: texts("state", "kind", "customer_id", "order_number", "conversation_id", "action"),
  component: lazyRouteComponent(() => import("./pages/actions/actions-page.tsx"), "ActionsPage"),
});
const policies = createRoute({
  getParentRoute: () => root,
  path: "/policies",
  validateSearch: texts("version", "view", "against"),
  component: lazyRouteComponent(() => import("./pages/policies/policies-page.tsx"), "PoliciesPage"),
});
const knowledge = createRoute({
  getParentRoute: () => root,
  path: "/knowledge",
  validateSearch: texts("view", "q", "language"),
  component: lazyRouteComponent(() => import("./pages/knowledge/knowledge-page.tsx"), "KnowledgePage"),
});
const insights = createRoute({
  getParentRoute: () => root,
  path: "/insights",
  validateSearch: texts("days"),
  component: lazyRouteComponent(() => import("./pages/insights/insights-page.tsx"), "InsightsPage"),
});
const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  validateSearch: texts("kind", "subject", "by", "from", "to", "entry"),
  component: lazyRouteComponent(() => import("./pages/audit/audit-page.tsx"), "AuditPage"),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  validateSearch: texts("view"),
  component: lazyRouteComponent(() => import("./pages/settings/settings-page.tsx"), "SettingsPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    queue,
    conversations,
    mails,
    actions,
    policies,
    knowledge,
    insights,
    audit,
    settings,
  ]),
  basepath: "/console",
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
