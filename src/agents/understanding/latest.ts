/**
 * One message is read several times within a run: for its language, its mood, its wish. This keeps what a pure
 * function of a text gave for the latest texts, so that it is worked out once.
 */
const MOST = 64;

/** The same function; what it returned for one of the latest texts is returned again, and must not be changed. */
export function keepingLatest<T>(of: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return (text) => {
    if (kept.has(text)) return kept.get(text) as T;
    const result = of(text);
    const oldest = kept.keys().next();
    if (kept.size >= MOST && oldest.done !== true) kept.delete(oldest.value);
    kept.set(text, result);
    return result;
  };
}
