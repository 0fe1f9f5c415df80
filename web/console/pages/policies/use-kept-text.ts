/** A text that is not lost when one looks at another page: kept in this tab, under a name. */
import { useState } from "react";

const KEY = "recourse:console:policy-text:";

/** Once it is what it was at first, nothing is kept any more. */
export function useKeptText(name: string, first: string): readonly [string, (text: string) => void] {
  const key = KEY + name;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? first);
  const change = (next: string) => {
    setText(next);
    if (next === first) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, next);
  };
  return [text, change];
}
