/** Light, dark, or as the system has it; kept on this device. */
export type Theme = "system" | "light" | "dark";

const KEY = "recourse:console:theme";
const NEXT: Readonly<Record<Theme, Theme>> = { system: "light", light: "dark", dark: "system" };

export function themeNow(): Theme {
  const kept = localStorage.getItem(KEY);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function applyTheme(theme: Theme = themeNow()): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export function cycleTheme(): Theme {
  const next = NEXT[themeNow()];
  localStorage.setItem(KEY, next);
  applyTheme(next);
  return next;
}
