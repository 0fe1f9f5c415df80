/** The frame of every page: where one can go, who one is, whether the server is heard, and the keys for all of it. */
import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { followReach, isReached } from "./api/client.ts";
import { followChanges, type LiveState } from "./api/live.ts";
import { KeyHelp } from "./keys/help.tsx";
import { Palette } from "./keys/palette.tsx";
import { listen } from "./keys/registry.ts";
import { useCommands } from "./keys/use-commands.ts";
import { PAGES } from "./pages.ts";
import { Keys } from "./parts/base.tsx";
import { useSession } from "./session.tsx";
import { cycleTheme, followTheme, themeNow } from "./theme.ts";

/** By a form, as the server wants it: from a page of its own, never by a link. */
function signOut(): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/sign-out";
  document.body.append(form);
  form.submit();
}

export function Layout() {
  const { me, may, workAt } = useSession();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [dialog, setDialog] = useState<"keys" | "palette" | null>(null);
  const [live, setLive] = useState<LiveState>("connecting");
  const isSilent = !useSyncExternalStore(followReach, isReached) || live === "offline";
  const theme = useSyncExternalStore(followTheme, themeNow);
  const { pathname } = useRouterState({ select: ({ location }) => location });
  const pages = useMemo(() => PAGES.filter(({ permission }) => may(permission)), [may]);
  const current = pages.find(({ path }) => pathname.startsWith(path));

  useEffect(() => listen(window), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tenant, another stream
  useEffect(() => followChanges(queries, setLive), [queries, me.tenant]);
  const nav = useRef<HTMLElement>(null);
  // Where there is no room for all of them, the one in use is in view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page, another link
  useEffect(() => {
    nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [current]);
  useEffect(() => {
    document.title = `${current?.title ?? "Console"} · Recourse`;
  }, [current]);
  useCommands(
    [
      { id: "help", label: "Show all keys", keys: "?", group: "Everywhere", run: () => setDialog("keys") },
      {
        id: "palette",
        label: "Find a command",
        keys: "mod+k",
        group: "Everywhere",
        run: () => setDialog("palette"),
      },
      {
        id: "theme",
        label: "Light, dark or as the system",
        group: "Everywhere",
        run: cycleTheme,
      },
      ...pages.map(({ path, title, keys }) => ({
        id: `go.${path}`,
        label: `Go to ${title}`,
        keys,
        group: "Go to",
        run: () => void navigate({ to: path }),
      })),
      ...me.workplaces
        .filter(({ tenant }) => tenant !== me.tenant)
        .map(({ tenant, name }) => ({
          id: `tenant.${tenant}`,
          label: `Work for ${name}`,
          group: "Everywhere",
          run: () => workAt(tenant),
        })),
      {
        id: "sign-out",
        label: "Sign out",
        group: "Everywhere",
        run: signOut,
      },
    ],
    [pages, navigate, me, workAt],
  );

  return (
    <div className="flex h-dvh flex-col">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded focus:bg-surface focus:p-2"
      >
        Skip to the content
      </a>
      <header className="flex items-center gap-1 border-b border-line bg-surface px-3 py-1.5">
        <span className="mr-2 hidden font-semibold lg:inline">Recourse</span>
        <nav
          aria-label="Pages"
          ref={nav}
          className="flex min-w-0 flex-1 gap-0.5 overflow-x-auto [scrollbar-width:none] max-lg:mask-r-from-90% max-lg:pr-6"
        >
          {pages.map(({ path, title }) => (
            <Link
              key={path}
              to={path}
              className="rounded-lg px-2.5 py-1.5 text-sm text-dim hover:bg-raised"
              activeProps={{ className: "bg-raised !text-text font-medium", "aria-current": "page" }}
            >
              {title}
            </Link>
          ))}
        </nav>
        <div className="flex shrink-0 items-center gap-1 text-sm sm:gap-2">
          {live !== "live" && (
            <span role="status" className="text-xs whitespace-nowrap text-warn">
              {live === "offline" ? "Offline" : "Connecting …"}
            </span>
          )}
          <button
            type="button"
            className="rounded-lg px-2 py-1.5 text-dim hover:bg-raised"
            onClick={() => setDialog("palette")}
          >
            Find{" "}
            <span className="hidden md:inline">
              <Keys keys="mod+k" />
            </span>
          </button>
          <button
            type="button"
            className="rounded-lg px-2 py-1.5 text-dim hover:bg-raised"
            onClick={cycleTheme}
            aria-label={`Colours: ${theme}. Change`}
          >
            {theme === "dark" ? "☾" : theme === "light" ? "☀" : "◐"}
          </button>
          {me.workplaces.length > 1 && (
            <select
              aria-label="Tenant"
              value={me.tenant}
              onChange={({ currentTarget }) => workAt(currentTarget.value)}
              className="rounded-lg border border-line bg-surface px-2 py-1.5"
            >
              {me.workplaces.map(({ tenant, name }) => (
                <option key={tenant} value={tenant}>
                  {name}
                </option>
              ))}
            </select>
          )}
          <span className="hidden whitespace-nowrap text-dim xl:inline">
            {me.name} · {me.role}
          </span>
        </div>
      </header>
      {isSilent && (
        <p role="alert" className="bg-warn/15 px-4 py-1.5 text-sm text-warn">
          The server does not answer. What you see may be old; what you decide is not sent until it is back.
        </p>
      )}
      <main id="main" className="min-h-0 flex-1" tabIndex={-1}>
        <Outlet />
      </main>
      <KeyHelp isOpen={dialog === "keys"} onClose={() => setDialog(null)} />
      <Palette isOpen={dialog === "palette"} onClose={() => setDialog(null)} />
    </div>
  );
}
