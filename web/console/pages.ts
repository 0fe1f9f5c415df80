/** The pages with the key that leads there and the permission they need. */
export const PAGES = [
  { path: "/queue", title: "Queue", keys: "g q", permission: "reviews.read" },
  { path: "/conversations", title: "Conversations", keys: "g c", permission: "conversations.read" },
  { path: "/mails", title: "Mail", keys: "g m", permission: "conversations.read" },
  { path: "/actions", title: "Actions", keys: "g a", permission: "actions.read" },
  { path: "/policies", title: "Policies", keys: "g p", permission: "policies.read" },
  { path: "/knowledge", title: "Knowledge", keys: "g k", permission: "knowledge.read" },
  { path: "/insights", title: "Insights", keys: "g i", permission: "insights.read" },
  { path: "/audit", title: "Audit", keys: "g u", permission: "audit.read" },
  { path: "/settings", title: "Settings", keys: "g s", permission: "self.read" },
] as const;
