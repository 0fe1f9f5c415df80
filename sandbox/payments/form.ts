/** Stripe's request bodies: `application/x-www-form-urlencoded` with keys such as `metadata[a]` and `expand[0]`. */

export interface Form {
  readonly [key: string]: string | Form;
}

/** Decodes one level of nesting after another; later values win, as with Stripe. */
export function decodeForm(text: string): Form {
  const root: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const [key, value] of new URLSearchParams(text)) {
    const path = key.match(/[^[\]]+|\[\]/g) ?? [key];
    let at = root;
    for (const [index, rawPart] of path.entries()) {
      const part = rawPart === "[]" ? String(Object.keys(at).length) : rawPart;
      if (index === path.length - 1) at[part] = value;
      else {
        if (typeof at[part] !== "object") at[part] = Object.create(null);
        at = at[part] as Record<string, unknown>;
      }
    }
  }
  return root as Form;
}
