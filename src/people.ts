/** Operators as this configuration wants them: settings first, for other rooms read them; then who signs in. */
import type { Configuration } from "./configuration.ts";
import type { TenantId } from "./kernel/ids.ts";
import type { Clock, Random } from "./kernel/ports.ts";
import { createOperators, type Operators, type OperatorTenant } from "./operators/operators.ts";
import { createSettings } from "./operators/settings/settings.ts";
import { factsOf, type SettingsFacts } from "./operators/settings/shape.ts";
import { secretFile } from "./store/secret-file.ts";
import type { Store } from "./store/store.ts";

export interface People {
  readonly operators: Operators;
  /** What rooms below know of a tenant's settings, as of now. */
  settingsOf(tenantId: TenantId): SettingsFacts;
  /** What visitors' keys are derived from, each under a label of its own: all processes have the same. */
  readonly secret: string;
  stop(): Promise<void>;
}

export async function startPeople(parts: {
  readonly configuration: Pick<Configuration, "dataDir" | "signInSecret" | "singleSignOn">;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly tenants: readonly OperatorTenant[];
  /** Null outside the demo. */
  readonly demoSecret: string | null;
  readonly baseUrl: () => string;
  readonly onError: (error: unknown, about: string) => void;
}): Promise<People> {
  const { configuration, random } = parts;
  const settings = createSettings(parts);
  const stop = await settings.start();
  const secret = configuration.signInSecret ?? secretFile(configuration.dataDir, "sign-in-secret", random);
  const operators = createOperators({
    ...parts,
    settings,
    secret,
    singleSignOn: configuration.singleSignOn,
  });
  await operators.demoTeam?.seed();
  return { operators, settingsOf: (tenantId) => factsOf(settings.of(tenantId)), secret, stop };
}
