/** An error of the client in one line: its own text and those of what it is made of, without objects. */
export function describe(error: unknown): string {
  const parts: string[] = [];
  const add = (each: unknown, depth: number): void => {
    if (!(each instanceof Error) || depth > 3) return;
    const { code } = each as { code?: unknown };
    const { apiId } = each as { apiId?: unknown };
    parts.push([each.message, ...[apiId, code].filter((text) => typeof text === "string")].join(" "));
    if (each instanceof AggregateError) for (const part of each.errors) add(part, depth + 1);
    add(each.cause, depth + 1);
  };
  add(error, 0);
  return [...new Set(parts)].join("; ").slice(0, 500) || String(error).slice(0, 500);
}
