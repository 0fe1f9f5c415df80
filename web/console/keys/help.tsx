/** `?`: every key that does something here and now. */

import { Keys } from "../parts/base.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { useAllCommands } from "./use-commands.ts";

export function KeyHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const all = useAllCommands().filter(({ keys }) => keys !== undefined);
  const groups = [...new Set(all.map(({ group }) => group))];
  return (
    <Dialog title="Keys" isOpen={isOpen} onClose={onClose} isWide>
      <div className="grid gap-5 sm:grid-cols-2">
        {groups.map((group) => (
          <section key={group}>
            <h3 className="mb-1 text-xs font-semibold text-dim uppercase">{group}</h3>
            <dl>
              {all
                .filter((command) => command.group === group)
                .map((command) => (
                  <div
                    key={command.id}
                    className={`flex justify-between gap-3 py-1 text-sm ${command.isOff ? "text-dim" : ""}`}
                  >
                    <dt>
                      {command.label}
                      {command.isOff && " (not now)"}
                    </dt>
                    <dd>
                      <Keys keys={command.keys ?? ""} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
