/** The pages with the key that leads there and the permission they need. */
export const PAGES = [
  { path: "/queue", title: "Queue", keys: "g q", permission: "reviews.read" },
  { path: "/conversations", title: "Conversations", keys: "g c", permission: "conversations.read" },
] as const;
