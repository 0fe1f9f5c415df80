/** The room of operators over a real store, with what its tests need. */
import { createHmac } from "node:crypto";
import type { OperatorId, TenantId } from "../../src/kernel/ids.ts";
import { type Clock, systemClock, systemRandom } from "../../src/kernel/ports.ts";
import { tenantScope } from "../../src/kernel/scope.ts";
import type { SingleSignOn } from "../../src/operators/identity/library.ts";
import { addPerson, hashOfPassword } from "../../src/operators/identity/people.ts";
import type { SetCookies } from "../../src/operators/identity/sign-in.ts";
import { join } from "../../src/operators/joining.ts";
import { createOperators, type Operators } from "../../src/operators/operators.ts";
import type { Role } from "../../src/operators/permissions.ts";
import { createSettings } from "../../src/operators/settings/settings.ts";
import type { TenantSettings } from "../../src/operators/settings/shape.ts";
import type { Database } from "../../src/store/database.ts";
import { createStore, type Store } from "../../src/store/store.ts";
import { emptiedDatabase, KESTREL, NORTHWIND } from "../kit/database.ts";

export { KESTREL, NORTHWIND } from "../kit/database.ts";

export const PASSWORD = "correct horse battery";
export const TENANTS = [
  { id: NORTHWIND, name: "Northwind Outfitters", currency: "USD", timeZone: "America/New_York" },
  { id: KESTREL, name: "Kestrel Audio", currency: "EUR", timeZone: "Europe/Berlin" },
] as const;

/** A clock that runs, moved on as a test needs. */
export function movableClock(): Clock & { ahead(ms: number): void } {
  let aheadMs = 0;
  return {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    ahead(ms) {
      aheadMs += ms;
    },
  };
}

export interface TestTeam {
  readonly store: Store;
  readonly operators: Operators;
  readonly clock: ReturnType<typeof movableClock>;
  readonly errors: unknown[];
  /** A server that starts anew on the same database. */
  again(options: TeamOptions): TestTeam;
  /** A person with the usual password who works for the tenants. */
  person(email: string, roles: Readonly<Partial<Record<string, Role>>>): Promise<OperatorId>;
  /** The cookie of a new session. */
  signedIn(email: string): Promise<string>;
}

export interface TeamOptions {
  readonly demoSecret?: string;
  readonly singleSignOn?: SingleSignOn;
  readonly baseUrl?: () => string;
  /** What the configuration says of every tenant's settings. */
  readonly defaults?: Partial<TenantSettings>;
}

/** `database`: empty, with its tables; the embedded one unless given. */
export async function testTeam(options: TeamOptions = {}, database?: Database): Promise<TestTeam> {
  const store = createStore(database ?? (await emptiedDatabase()));
  for (const { id, name, currency, timeZone } of TENANTS) {
    await store.transact(tenantScope(id), (tx) =>
      tx.insertInto("tenants").values({ tenant_id: id, name, currency, time_zone: timeZone }).execute(),
    );
  }
  return teamOver(store, options);
}

function teamOver(store: Store, options: TeamOptions): TestTeam {
  const clock = movableClock();
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const { defaults = {} } = options;
  const tenants = TENANTS.map((tenant) => ({ ...tenant, defaults }));
  const settings = createSettings({ store, clock, tenants, onError });
  const operators = createOperators({
    store,
    clock,
    random: systemRandom,
    settings,
    tenants: TENANTS,
    secret: SECRET,
    baseUrl: options.baseUrl ?? (() => "http://127.0.0.1:3000"),
    singleSignOn: options.singleSignOn ?? null,
    demoSecret: options.demoSecret ?? null,
    onError,
  });
  return {
    store,
    operators,
    clock,
    errors,
    again: (otherwise) => teamOver(store, otherwise),
    async person(email, roles) {
      hashed ??= hashOfPassword(PASSWORD);
      const passwordHash = await hashed;
      return store.identify(async (tx) => {
        const name = email.split("@")[0] as string;
        const person = await addPerson(tx, { clock, random: systemRandom }, { name, email, passwordHash });
        for (const [tenant, role] of Object.entries(roles)) {
          await tx.within(tenantScope(tenant as TenantId), (scoped) =>
            join(scoped, clock.now(), person, { role: role as Role, by: "test" }),
          );
        }
        return person.id;
      });
    },
    async signedIn(email) {
      return cookieOf((await operators.signIn.signIn(email, PASSWORD)).cookies);
    },
  };
}

const SECRET = Buffer.from(systemRandom.bytes(32)).toString("hex");
let hashed: Promise<string> | undefined;

/** What a browser would send back, without what was expired. */
export function cookieOf(cookies: SetCookies, before = ""): string {
  const jar = new Map(
    before
      .split("; ")
      .filter((each) => each !== "")
      .map((each) => [each.slice(0, each.indexOf("=")), each.slice(each.indexOf("=") + 1)] as const),
  );
  for (const cookie of cookies) {
    const [pair = "", ...attributes] = cookie.split("; ");
    const name = pair.slice(0, pair.indexOf("="));
    const isGone = attributes.some((each) => /^max-age=0$/i.test(each));
    if (isGone) jar.delete(name);
    else jar.set(name, pair.slice(pair.indexOf("=") + 1));
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** The code of an authenticator app (RFC 6238: SHA-1, six digits, 30 s), written here a second time on purpose. */
export function appCode(base32: string, atMs: number): string {
  const bits = [...base32.replace(/=+$/, "")]
    .map((char) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(char).toString(2).padStart(5, "0"))
    .join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)));
  const mac = createHmac("sha1", key).update(counter).digest();
  const offset = (mac.at(-1) as number) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
