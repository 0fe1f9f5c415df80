/**
 * What is set for each tenant: one place that reads it and one that writes it, with an audit entry. Rooms that need a
 * value at once read a copy in memory; it is refreshed by its own changes, by those that other processes announce, and
 * now and then, should an announcement be lost.
 */
import { sql } from "kysely";
import { appendAudit } from "../../evidence/audit.ts";
import { isoInstant } from "../../kernel/calendar.ts";
import { ProblemError } from "../../kernel/errors.ts";
import type { TenantId } from "../../kernel/ids.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { type Currency, parseAmount } from "../../kernel/money.ts";
import type { Clock } from "../../kernel/ports.ts";
import { type TenantScope, tenantScope } from "../../kernel/scope.ts";
import { keepFresh } from "../../store/keeping-fresh.ts";
import type { Store, Tx } from "../../store/store.ts";
import { AREA_NAMES, AREAS, type Area, INITIAL_SETTINGS, isArea, type TenantSettings } from "./shape.ts";

export interface SettingsArea {
  readonly area: Area;
  readonly value: unknown;
  /** 0 while nothing was set: the value is the default. Named by who changes it. */
  readonly version: number;
  readonly updated_at: string | null;
  readonly updated_by: string | null;
}

export interface Settings {
  /** As this process knows them now. */
  of(tenantId: TenantId): TenantSettings;
  /** From the database, in the order of the areas. */
  list(scope: TenantScope): Promise<readonly SettingsArea[]>;
  /**
   * Replaces an area, if its version is still the one that was seen.
   * @throws ProblemError `settings_changed`, `body_invalid`, `amount_invalid`
   */
  change(
    scope: TenantScope,
    change: { readonly area: Area; readonly value: unknown; readonly version: number; readonly by: string },
  ): Promise<SettingsArea>;
  refresh(tenantId: TenantId): Promise<void>;
  /** Loads all, and keeps them fresh until the answer is called. */
  start(): Promise<() => Promise<void>>;
}

const CHANNEL = "recourse_settings";

export function createSettings(parts: {
  readonly store: Store;
  readonly clock: Clock;
  readonly tenants: readonly {
    readonly id: TenantId;
    readonly currency: Currency;
    /** What the configuration says of an area, until it is set. */
    readonly defaults?: Partial<TenantSettings>;
  }[];
  readonly onError: (error: unknown, about: string) => void;
}): Settings {
  const { store, clock, onError } = parts;
  const known = new Map<TenantId, TenantSettings>();
  const initialOf = (tenantId: TenantId): TenantSettings => ({
    ...INITIAL_SETTINGS,
    ...parts.tenants.find(({ id }) => id === tenantId)?.defaults,
  });
  const viewOf = (area: Area, row: Row | null, tenantId: TenantId): SettingsArea =>
    row === null || !isArea(row.area)
      ? { area, value: initialOf(tenantId)[area], version: 0, updated_at: null, updated_by: null }
      : {
          area,
          value: completed(row.value, initialOf(tenantId)[row.area]),
          version: row.version,
          updated_at: isoInstant(row.updated_at_ms),
          updated_by: row.updated_by,
        };

  const self: Settings = {
    of: (tenantId) => known.get(tenantId) ?? initialOf(tenantId),

    list: (scope) =>
      store.transact(scope, async (tx) => {
        const rows = await rowsOf(tx);
        return AREA_NAMES.map((area) =>
          viewOf(area, rows.find((row) => row.area === area) ?? null, scope.tenantId),
        );
      }),

    async change(scope, { area, value, version, by }) {
      const checked = AREAS[area].schema.safeParse(value);
      if (!checked.success) {
        const errors = checked.error.issues.map(({ path, message }) => ({
          path: ["value", ...path].map(String).join("."),
          message,
        }));
        throw new ProblemError("body_invalid", `These are no settings of \`${area}\`.`, {
          details: { errors },
        });
      }
      const limit = (checked.data as Partial<TenantSettings["reviews"]>).second_limit ?? null;
      const currency = parts.tenants.find(({ id }) => id === scope.tenantId)?.currency;
      // As exact as the currency is.
      if (limit !== null && currency !== undefined) parseAmount(limit, currency);
      const nowMs = clock.now();
      const changed = await store.transact(scope, async (tx) => {
        const before = (await rowsOf(tx)).find((row) => row.area === area) ?? null;
        const row = {
          value: JSON.stringify(checked.data),
          version: version + 1,
          updated_at_ms: nowMs,
          updated_by: by,
        };
        // One statement checks and writes: of two who saw the same version, one is first.
        const after =
          version === 0
            ? await tx
                .insertInto("tenant_settings")
                .values({ tenant_id: scope.tenantId, area, ...row })
                .onConflict((conflict) => conflict.doNothing())
                .returningAll()
                .executeTakeFirst()
            : await tx
                .updateTable("tenant_settings")
                .set(row)
                .where("tenant_id", "=", scope.tenantId)
                .where("area", "=", area)
                .where("version", "=", version)
                .returningAll()
                .executeTakeFirst();
        if (after === undefined) {
          throw new ProblemError("settings_changed", undefined, {
            details: {
              version: before?.version ?? 0,
              value: before?.value ?? initialOf(scope.tenantId)[area],
            },
          });
        }
        await appendAudit(tx, nowMs, [
          {
            kind: "settings.changed",
            subject: area,
            customerId: "*",
            body: {
              by,
              from: before?.value ?? initialOf(scope.tenantId)[area],
              to: checked.data,
              version: version + 1,
            },
          },
        ]);
        await sql`select pg_notify(${CHANNEL}, ${scope.tenantId})`.execute(tx);
        return after;
      });
      await self.refresh(scope.tenantId);
      return viewOf(area, changed, scope.tenantId);
    },

    async refresh(tenantId) {
      const rows = await store.transact(tenantScope(tenantId), rowsOf);
      // What an older version stored and this one does not take has its default: nothing is half read.
      const areas = AREA_NAMES.map((area) => {
        const row = rows.find((each) => each.area === area);
        const initial = initialOf(tenantId)[area];
        const checked =
          row === undefined ? null : AREAS[area].schema.safeParse(completed(row.value, initial));
        return [area, checked?.success === true ? checked.data : initial] as const;
      });
      known.set(tenantId, Object.fromEntries(areas) as unknown as TenantSettings);
    },

    async start() {
      const refreshAll = () => Promise.all(parts.tenants.map(({ id }) => self.refresh(id)));
      if (store.database.kind === "embedded") {
        await refreshAll();
        return async () => {};
      }
      return keepFresh({
        database: store.database,
        clock,
        channel: CHANNEL,
        everyMs: LIMITS.settingsRefreshMs,
        refresh: (tenantId) => (tenantId === null ? refreshAll() : self.refresh(tenantId as TenantId)),
        onError: (error) => onError(error, "settings"),
      });
    },
  };
  return self;
}

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

const rowsOf = (tx: Tx) =>
  tx.selectFrom("tenant_settings").selectAll().where("tenant_id", "=", tx.scope.tenantId).execute();

/** What was stored before a field of the area existed has that field's default. */
const completed = (value: unknown, initial: object): unknown =>
  value !== null && typeof value === "object" && !Array.isArray(value) ? { ...initial, ...value } : value;
