/** Keys for scripts: what each may do, when it was used, and a new one, shown once. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type ApiKey, createKey, keyList, revokeKey } from "../../api/team.ts";
import { Badge, Button, Card, cannotShow, Empty, Failure, Skeleton } from "../../parts/base.tsx";
import { BOX, Confirm, Field, Once } from "../../parts/form.tsx";
import { Time } from "../../parts/time.tsx";
import { notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";

export function KeysOfTheTenant() {
  const { me, may } = useSession();
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const [ending, setEnding] = useState<ApiKey | null>(null);
  const canManage = may("api_keys.manage");
  const list = useQuery({ queryKey: ["api-keys", me.tenant], queryFn: ({ signal }) => keyList(signal) });
  const refresh = () => void queries.invalidateQueries({ queryKey: ["api-keys"] });
  const revoke = useMutation({
    mutationFn: revokeKey,
    onSuccess: () => {
      setEnding(null);
      refresh();
    },
    onError: notifyProblem,
  });
  if (list.isPending) return <Skeleton lines={4} />;
  if (cannotShow(list)) return <Failure error={list.error} retry={() => void list.refetch()} />;
  const { keys, scopes } = list.data;
  return (
    <>
      {canManage && (
        <NewKey
          scopes={scopes}
          made={(key) => {
            setSecret(key);
            refresh();
          }}
        />
      )}
      <Card title="Keys">
        {keys.length === 0 ? (
          <Empty title="No keys yet">A key lets a script use the operators' API with what you give it.</Empty>
        ) : (
          <ul>
            {keys.map((key) => (
              <li
                key={key.key_id}
                className="flex flex-wrap items-center gap-2 border-t border-line py-2 text-sm first:border-t-0"
              >
                <div className="min-w-0 flex-1 basis-56">
                  <p className="flex flex-wrap items-center gap-2">
                    <span dir="auto" className="font-medium">
                      {key.name}
                    </span>
                    <Badge tone={key.state === "active" ? "good" : "plain"}>{key.state}</Badge>
                  </p>
                  <p className="text-xs break-words text-dim">{key.scopes.join(", ")}</p>
                  <p className="text-xs text-dim">
                    by {key.created_by}, <Time at={key.created_at} />
                    {key.expires_at !== null && (
                      <>
                        {" · ends "}
                        <Time at={key.expires_at} isToCome />
                      </>
                    )}
                    {key.last_used_at === null ? (
                      " · never used"
                    ) : (
                      <>
                        {" · used "}
                        <Time at={key.last_used_at} />
                      </>
                    )}
                  </p>
                </div>
                {canManage && key.state === "active" && (
                  <Button look="danger" onClick={() => setEnding(key)}>
                    Revoke …
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Confirm
        title={`Revoke ${ending?.name ?? ""}?`}
        label="Revoke"
        isOpen={ending !== null}
        isBusy={revoke.isPending}
        isDangerous
        confirm={() => ending !== null && revoke.mutate(ending.key_id)}
        close={() => setEnding(null)}
      >
        <p>The script that uses it is refused from its next request on. A revoked key does not come back.</p>
      </Confirm>
      <Once title="Key" text={secret} close={() => setSecret(null)} />
    </>
  );
}

function NewKey({ scopes, made }: { scopes: readonly string[]; made(key: string): void }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("90");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const create = useMutation({
    mutationFn: () => createKey(name.trim(), chosen, days === "" ? null : Number(days)),
    onSuccess: ({ key }) => {
      setName("");
      setChosen([]);
      made(key);
    },
    onError: notifyProblem,
  });
  return (
    <Card title="New key">
      <form
        className="grid gap-3 sm:grid-cols-2"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Field label="Name" hint="What uses it.">
          {(id, hintId) => (
            <input
              id={id}
              required
              maxLength={60}
              aria-describedby={hintId}
              value={name}
              className={BOX}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
            />
          )}
        </Field>
        <Field label="Ends after" hint="Days; empty: never.">
          {(id, hintId) => (
            <input
              id={id}
              type="number"
              min={1}
              max={3_650}
              aria-describedby={hintId}
              value={days}
              className={BOX}
              onChange={({ currentTarget }) => setDays(currentTarget.value)}
            />
          )}
        </Field>
        <fieldset className="sm:col-span-2">
          <legend className="text-sm font-medium">May</legend>
          <div className="mt-1 grid gap-1 sm:grid-cols-2">
            {scopes.map((scope) => (
              <label key={scope} className="flex items-center gap-2 text-sm">
                <input
                  type="checkbox"
                  checked={chosen.includes(scope)}
                  onChange={({ currentTarget }) =>
                    setChosen(
                      currentTarget.checked ? [...chosen, scope] : chosen.filter((each) => each !== scope),
                    )
                  }
                />
                {scope}
              </label>
            ))}
          </div>
        </fieldset>
        <div>
          <Button
            type="submit"
            look="primary"
            isBusy={create.isPending}
            disabled={chosen.length === 0 || name.trim() === ""}
          >
            Make the key
          </Button>
        </div>
      </form>
    </Card>
  );
}
