/** Settings: one's own, the tenant's by area, the people and the keys. Only what the role may see is there. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { useCommands } from "../../keys/use-commands.ts";
import { Card } from "../../parts/base.tsx";
import { Tabs } from "../../parts/form.tsx";
import { useSession } from "../../session.tsx";
import { followTheme, setTheme, type Theme, themeNow } from "../../theme.ts";
import { KeysOfTheTenant } from "./api-keys.tsx";
import { Areas } from "./areas.tsx";
import { CannedReplies } from "./canned-replies.tsx";
import { KillSwitch } from "./kill-switch.tsx";
import { Team } from "./team.tsx";

const VIEWS = [
  { name: "tenant", title: "Tenant", permission: "settings.read" },
  { name: "team", title: "Team", permission: "operators.read" },
  { name: "replies", title: "Canned replies", permission: "conversations.read" },
  { name: "keys", title: "API keys", permission: "api_keys.read" },
  { name: "mine", title: "Mine", permission: "self.read" },
] as const;

export function SettingsPage() {
  const { may } = useSession();
  const search = useSearch({ from: "/settings" }) as { view?: string };
  const navigate = useNavigate({ from: "/settings" });
  const views = VIEWS.filter(({ permission }) => may(permission));
  const view = views.find(({ name }) => name === search.view)?.name ?? views[0]?.name ?? "mine";
  const go = (name: string) => void navigate({ search: { view: name } as never });
  useCommands(
    views.map(({ name, title }, index) => ({
      id: `settings.${name}`,
      label: `Settings: ${title}`,
      keys: String(index + 1),
      group: "Settings",
      run: () => go(name),
    })),
    [may, navigate],
  );
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-3xl flex-col gap-3 p-3">
        <header className="flex flex-wrap items-center gap-3">
          <h1 className="text-lg font-semibold">Settings</h1>
          <Tabs label="View" tabs={views} current={view} choose={go} />
        </header>
        {view === "tenant" ? (
          <>
            <KillSwitch />
            <Areas />
          </>
        ) : view === "team" ? (
          <Team />
        ) : view === "replies" ? (
          <CannedReplies />
        ) : view === "keys" ? (
          <KeysOfTheTenant />
        ) : (
          <Mine />
        )}
      </div>
    </div>
  );
}

const THEMES: readonly { readonly theme: Theme; readonly label: string }[] = [
  { theme: "system", label: "As the system" },
  { theme: "light", label: "Light" },
  { theme: "dark", label: "Dark" },
];

function Mine() {
  const { me } = useSession();
  const theme = useSyncExternalStore(followTheme, themeNow);
  return (
    <>
      <Card title="You">
        <p className="text-sm">{me.name}</p>
        <p className="text-sm text-dim">
          Decisions are recorded for {me.operator}. In {me.tenant} your role is {me.role ?? "none"}.
        </p>
        <p className="mt-3 text-sm">
          <a className="text-accent underline" href="/account">
            Change your password, set up a second factor, end sessions
          </a>
        </p>
        <p className="text-xs text-dim">A page of its own: it asks for your password each time.</p>
      </Card>
      <Card title="Colours on this device">
        <fieldset className="flex flex-wrap gap-4 text-sm">
          <legend className="sr-only">Colours</legend>
          {THEMES.map((each) => (
            <label key={each.theme} className="flex items-center gap-2">
              <input
                type="radio"
                name="theme"
                checked={each.theme === theme}
                onChange={() => setTheme(each.theme)}
              />
              {each.label}
            </label>
          ))}
        </fieldset>
      </Card>
    </>
  );
}
