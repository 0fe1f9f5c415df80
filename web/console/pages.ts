/** The pages with the key that leads there and the permission they need. */
export const PAGES = [{ path: "/queue", title: "Queue", keys: "g q", permission: "reviews.read" }] as const;
