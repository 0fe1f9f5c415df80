/** Who is signed in, for which tenant, and what they may do there. The server decides; this only hides what it would refuse. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { ask, Problem, useTenant as takeTenant } from "./api/client.ts";
import { Failure, Skeleton } from "./parts/base.tsx";

export interface Workplace {
  readonly tenant: string;
  readonly name: string;
  readonly role: string;
}

export interface Me {
  /** Who decisions are recorded for. */
  readonly operator: string;
  readonly name: string;
  readonly tenant: string;
  readonly role: string | null;
  readonly workplaces: readonly Workplace[];
  readonly permissions: readonly string[];
}

interface Session {
  readonly me: Me;
  may(permission: string): boolean;
  workAt(tenant: string): void;
}

const Context = createContext<Session | null>(null);
const TENANT_KEY = "recourse:console:tenant";

export function useSession(): Session {
  const session = useContext(Context);
  if (session === null) throw new Error("outside of the session");
  return session;
}

/** Where to sign in, and back to here. */
function toSignIn(): void {
  location.assign(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [tenant, setTenant] = useState(() => localStorage.getItem(TENANT_KEY));
  if (tenant !== null) takeTenant(tenant);
  const {
    data: me,
    error,
    refetch,
  } = useQuery({
    queryKey: ["me", tenant],
    queryFn: ({ signal }) => ask<Me>("/v1/operator/me", { signal }),
    staleTime: 30_000,
  });
  const code = error instanceof Problem ? error.code : null;
  useEffect(() => {
    if (code === "session_ended" || code === "token_missing" || code === "second_factor_needed") toSignIn();
    // Kept from another sign-in: they do not work there.
    if ((code === "forbidden" || code === "tenant_needed") && tenant !== null) {
      localStorage.removeItem(TENANT_KEY);
      setTenant(null);
    }
  }, [code, tenant]);
  useEffect(() => {
    if (me === undefined) return;
    takeTenant(me.tenant);
    localStorage.setItem(TENANT_KEY, me.tenant);
  }, [me]);

  if (me === undefined) {
    return error !== null && code !== "session_ended" && code !== "token_missing" ? (
      <Failure error={error} retry={() => void refetch()} />
    ) : (
      <Skeleton lines={6} />
    );
  }
  takeTenant(me.tenant);
  return (
    <Context.Provider
      value={{
        me,
        may: (permission) => me.permissions.includes(permission),
        workAt(next) {
          localStorage.setItem(TENANT_KEY, next);
          takeTenant(next);
          queries.clear();
          setTenant(next);
        },
      }}
    >
      {children}
    </Context.Provider>
  );
}
