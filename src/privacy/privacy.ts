/** The room put together: copies, erasures, and whose tokens open nothing any more. */
import type { ReviewSettings } from "../actions/reviews/settings.ts";
import type { Hub } from "../conversations/hub.ts";
import type { TenantId } from "../kernel/ids.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import type { Store } from "../store/store.ts";
import { type Access, createAccess } from "./access.ts";
import { createErasures, type Erasures } from "./erasures.ts";
import { createErasedCustomers, type ErasedCustomers } from "./refusing.ts";

export interface Privacy {
  readonly access: Access;
  readonly erasures: Erasures;
  readonly erased: ErasedCustomers;
  /** Carries out erasures that wait, until the answer is called. */
  work(): () => Promise<void>;
}

export function createPrivacy(parts: {
  readonly store: Store;
  readonly hub: Hub;
  readonly clock: Clock;
  readonly random: Random;
  readonly tenants: readonly TenantId[];
  readonly settingsOf: (tenantId: TenantId) => ReviewSettings;
  readonly onError: (error: unknown, about: string) => void;
}): Privacy {
  const erased = createErasedCustomers(parts);
  const inner = createErasures(parts);
  // What this process has erased counts in it at once.
  const erasures: Erasures = {
    ...inner,
    async erase(...wanted) {
      const done = await inner.erase(...wanted);
      await erased.refresh();
      return done;
    },
    async again(...wanted) {
      const done = await inner.again(...wanted);
      await erased.refresh();
      return done;
    },
  };
  return {
    access: createAccess(parts),
    erasures,
    erased,
    work() {
      const { clock, onError } = parts;
      let isStopped = false;
      let sweeping: Promise<unknown> = Promise.resolve();
      let cancel = () => {};
      const again = () => {
        cancel = clock.after(LIMITS.erasureSweepMs, () => {
          sweeping = inner
            .sweep()
            .catch((error: unknown) => onError(error, "erasures"))
            .then(() => (isStopped ? undefined : again()));
        });
      };
      again();
      return async () => {
        isStopped = true;
        cancel();
        await sweeping;
      };
    },
  };
}
