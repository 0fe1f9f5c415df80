/**
 * The same function of a text, pure as it must be: what it returned for one of the latest `most` texts is returned
 * again instead of worked out again, and must not be changed.
 */
export function keepingLatest<T>(of: (text: string) => T, most: number): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    if (kept.has(text)) return kept.get(text) as T;
    const result = of(text);
    const oldest = kept.keys().next();
    if (kept.size >= most && oldest.done !== true) kept.delete(oldest.value);
    kept.set(text, result);
    return result;
  };
}
