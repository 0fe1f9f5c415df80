/**
 * The script of a host page: `<script async src="https://support.example/widget.js" data-tenant="northwind">`.
 * It puts a launcher into a shadow root and fetches the panel when somebody needs it, so that a page that
 * only embeds it pays a few kilobytes. What the page may call is `window.recourse`:
 *
 *     recourse.identify(jwt)   who the customer is, signed by the merchant; or a function that fetches it anew
 *     recourse.signOut()       forgets who it was, and what is kept on this device
 *     recourse.open()  recourse.close()
 *
 * Calls before the script has loaded wait in `window.recourse = {q: [["identify", jwt]]}`.
 */
import type { Mounted, WidgetOptions } from "./panel/main.tsx";

declare const __PANEL__: string;

type Identity = string | (() => Promise<string>);
interface Recourse {
  q?: [string, ...unknown[]][];
  identify?(identity: Identity): void;
  signOut?(): void;
  open?(): void;
  close?(): void;
}

const script = document.currentScript as HTMLScriptElement | null;
const page = window as unknown as { recourse?: Recourse };
const base = script === null ? location.origin : new URL(script.src).origin;
const data: DOMStringMap = script?.dataset ?? {};
const tenant = data.tenant ?? "";
const ID = `recourse-widget-${tenant}`;

const LABELS: Record<string, string> = {
  es: "Chatear con nosotros",
  de: "Mit uns chatten",
  fr: "Discuter avec nous",
  pt: "Falar connosco",
  it: "Chatta con noi",
};

// Two scripts on one page are one widget a tenant.
if (document.getElementById(ID) === null) begin();

function begin(): void {
  const host = document.createElement("div");
  host.id = ID;
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  const side = data.side === "left" ? "left" : "right";
  sheet.replaceSync(
    `:host{all:initial}.l{all:unset;box-sizing:border-box;position:fixed;z-index:2147483000;bottom:20px;${side}:20px;width:56px;height:56px;border-radius:50%;cursor:pointer;display:grid;place-items:center;background:var(--recourse-accent,#1f5eff);color:var(--recourse-on-accent,#fff);box-shadow:0 4px 14px rgb(0 0 0/.25)}.l:focus-visible{outline:3px solid var(--recourse-accent,#1f5eff);outline-offset:3px}.l[aria-busy=true]{opacity:.7}.l svg{width:26px;height:26px}.l b{position:absolute;top:-4px;right:-4px;min-width:20px;height:20px;border-radius:10px;background:#c21f3a;color:#fff;font:600 12px/20px system-ui,sans-serif;text-align:center;padding:0 5px;box-sizing:border-box}.l b:empty{display:none}@media print{:host{display:none}}@media(max-width:480px){.l[aria-expanded=true]{display:none}}`,
  );
  root.adoptedStyleSheets = [sheet];
  const button = document.createElement("button");
  button.type = "button";
  button.className = "l";
  button.setAttribute("aria-haspopup", "dialog");
  button.setAttribute("aria-expanded", "false");
  button.setAttribute("aria-label", data.label ?? LABELS[language().slice(0, 2)] ?? "Chat with us");
  button.innerHTML =
    '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" aria-hidden="true"><path d="M4 5h16v11H9l-5 4z"/></svg><b></b>';
  root.append(button);

  let identity: Identity | null = null;
  let mounted: Promise<Mounted> | null = null;
  const panel = (): Promise<Mounted> => {
    mounted ??= (async () => {
      button.setAttribute("aria-busy", "true");
      try {
        const { mount } = (await import(/* @vite-ignore */ `${base}/assets/${__PANEL__}`)) as {
          mount(options: WidgetOptions): Promise<Mounted>;
        };
        return await mount({
          root,
          base,
          tenant,
          language: language(),
          side,
          identity,
          launcher: button,
          badge: button.querySelector("b") as HTMLElement,
        });
      } catch (error) {
        // The next click tries again.
        mounted = null;
        throw error;
      } finally {
        button.removeAttribute("aria-busy");
      }
    })();
    return mounted;
  };
  const open = () =>
    void panel().then(
      (it) => it.open(),
      () => {},
    );

  const api: Recourse = {
    identify(next) {
      identity = next;
      if (mounted !== null) mounted.then((it) => it.identify(next)).catch(() => {});
      else if (isUnderWay()) void panel().catch(() => {});
    },
    signOut() {
      identity = null;
      if (mounted !== null) mounted.then((it) => it.identify(null)).catch(() => {});
      for (const key of kept()) localStorage.removeItem(key);
    },
    open,
    close: () => void mounted?.then((it) => it.close()),
  };
  const waiting = page.recourse?.q ?? [];
  page.recourse = api;
  button.addEventListener(
    "click",
    () =>
      void panel().then(
        (it) => it.toggle(),
        () => {},
      ),
  );
  const show = () => document.body.append(host);
  if (document.body === null) addEventListener("DOMContentLoaded", show, { once: true });
  else show();
  for (const [name, ...args] of waiting) {
    (api as Record<string, ((...args: unknown[]) => void) | undefined>)[name]?.(...args);
  }
  // A conversation that is under way on this device shows what is new without a click.
  if (identity === null && isUnderWay()) void panel().catch(() => {});
}

function language(): string {
  return data.language ?? (document.documentElement.lang || navigator.language);
}

/** Keys of this tenant on this device. */
function kept(): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(`recourse:${tenant}:`));
  } catch {
    return [];
  }
}

function isUnderWay(): boolean {
  return kept().some((key) => key.endsWith(":conversation"));
}
