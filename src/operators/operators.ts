/** The room put together: what signs people in, knows what they may do, and manages who they are. */
import type { TenantId } from "../kernel/ids.ts";
import type { Currency } from "../kernel/money.ts";
import type { Clock, Random } from "../kernel/ports.ts";
import type { Store } from "../store/store.ts";
import { type Access, createAccess } from "./access.ts";
import { createDemoTeam, type DemoTeam } from "./demo-team.ts";
import { createFirstAdmin, type FirstAdmin } from "./first-admin.ts";
import { type Library, loadLibrary, type SingleSignOn } from "./identity/library.ts";
import { createSignIn, type SignIn } from "./identity/sign-in.ts";
import { createInvitations, type Invitations } from "./invitations.ts";
import { createJournal } from "./journal.ts";
import { createKeys, type Keys } from "./keys.ts";
import { createPolicies, type Policies } from "./policies/policies.ts";
import type { Settings } from "./settings/settings.ts";
import type { TenantSettings } from "./settings/shape.ts";
import { createTeam, type Team } from "./team.ts";

export interface Operators {
  readonly signIn: SignIn;
  readonly access: Access;
  readonly team: Team;
  readonly invitations: Invitations;
  readonly keys: Keys;
  readonly settings: Settings;
  readonly policies: Policies;
  /** Null in the demo, whose people are there already. */
  readonly firstAdmin: FirstAdmin | null;
  /** Null outside the demo. */
  readonly demoTeam: DemoTeam | null;
}

export interface OperatorTenant {
  readonly id: TenantId;
  readonly name: string;
  readonly currency: Currency;
  readonly timeZone: string;
  /** What the configuration says of settings, until they are set. */
  readonly defaults?: Partial<TenantSettings>;
}

export interface OperatorParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: Settings;
  readonly tenants: readonly OperatorTenant[];
  /** At least 32 bytes: signs cookies and encrypts second factors. All processes of one database have the same. */
  readonly secret: string;
  /** Where people reach this server; asked when somebody first signs in, for it may be known only then. */
  readonly baseUrl: () => string;
  readonly singleSignOn: SingleSignOn | null;
  /** The demo's secret; null outside it. */
  readonly demoSecret: string | null;
  readonly onError: (error: unknown, about: string) => void;
}

export function createOperators(parts: OperatorParts): Operators {
  const { store, clock, random, settings, demoSecret } = parts;
  let loading: Promise<Library> | undefined;
  const library = () => {
    loading ??= loadLibrary({
      database: store.database,
      secret: parts.secret,
      baseUrl: parts.baseUrl(),
      singleSignOn: parts.singleSignOn,
      newRowId: () => Buffer.from(random.bytes(16)).toString("hex"),
      onError: parts.onError,
    });
    // A failure is not for good.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const signIn = createSignIn({
    store,
    clock,
    library,
    singleSignOnName: parts.singleSignOn?.name ?? null,
    journal: createJournal({ store, clock }),
    onError: parts.onError,
  });
  return {
    signIn,
    settings,
    access: createAccess({ store, clock, signIn, settings, demo: demoSecret !== null }),
    team: createTeam({ store, clock }),
    invitations: createInvitations({ store, clock, random }),
    keys: createKeys({ store, clock, random }),
    policies: createPolicies({
      store,
      clock,
      timeZoneOf: (tenantId) => parts.tenants.find(({ id }) => id === tenantId)?.timeZone ?? "UTC",
    }),
    firstAdmin: demoSecret === null ? createFirstAdmin(parts) : null,
    demoTeam: demoSecret === null ? null : createDemoTeam({ ...parts, signIn, secret: demoSecret }),
  };
}
