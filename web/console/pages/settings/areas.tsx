/** What is set for the tenant, area by area. Saved for the version that was seen: nobody's change is lost unseen. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Problem } from "../../api/client.ts";
import { type Area, changeArea, settingsAreas } from "../../api/team.ts";
import { Button, Card, cannotShow, Failure, Skeleton } from "../../parts/base.tsx";
import { Time } from "../../parts/time.tsx";
import { notify, notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";
import { FieldOf } from "./field.tsx";
import { AREA_TITLES, type AreaField, at, fieldsOf, withValue } from "./fields.ts";
import { Hours } from "./hours.tsx";

export function Areas() {
  const { me } = useSession();
  const areas = useQuery({
    queryKey: ["settings", me.tenant],
    queryFn: ({ signal }) => settingsAreas(signal),
  });
  if (areas.isPending) return <Skeleton lines={6} />;
  if (cannotShow(areas)) return <Failure error={areas.error} retry={() => void areas.refetch()} />;
  return areas.data.areas.map((area) => <AreaForm key={area.area} area={area} />);
}

/** `area` is the server's as it is known now. What is being edited is never replaced under one's hands. */
function AreaForm({ area: latest }: { area: Area }) {
  const { may } = useSession();
  const queries = useQueryClient();
  const [area, setSeen] = useState(latest);
  const [value, setValue] = useState(area.value);
  const canEdit = may("settings.edit");
  const fields = fieldsOf(area);
  const isChanged = JSON.stringify(value) !== JSON.stringify(area.value);
  const isBehind = latest.version > area.version;
  const read = (next: Area) => {
    setSeen(next);
    setValue(next.value);
  };
  // The same as is typed here: the answer to a save got lost.
  const isSame = JSON.stringify(value) === JSON.stringify(latest.value);
  if (isBehind && (!isChanged || isSame)) read(latest);
  const save = useMutation({
    mutationFn: () => changeArea(area.area, value, area.version),
    onSuccess: (saved) => {
      read(saved);
      notify({ title: "Saved", description: "It counts from the next message or review on." });
      void queries.invalidateQueries({ queryKey: ["settings"] });
    },
    onError(error) {
      notifyProblem(error);
      void queries.invalidateQueries({ queryKey: ["settings"] });
    },
  });
  const problem = save.error instanceof Problem ? save.error : null;
  const faults = (problem?.details.errors ?? []) as readonly { path: string; message: string }[];
  return (
    <Card
      title={AREA_TITLES[area.area] ?? area.area.replaceAll("_", " ")}
      aside={
        <span className="text-xs font-normal text-dim">
          {area.updated_at === null ? (
            "as by default"
          ) : (
            <>
              {area.updated_by}, <Time at={area.updated_at} />
            </>
          )}
        </span>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate();
        }}
      >
        <fieldset
          key={area.version}
          disabled={!canEdit || save.isPending}
          className="grid gap-3 sm:grid-cols-2"
        >
          <legend className="sr-only">{AREA_TITLES[area.area] ?? area.area}</legend>
          {area.area === "hours" ? (
            <Hours value={value} change={setValue} />
          ) : (
            fields.map((field: AreaField) => (
              <FieldOf
                key={field.path.join(".")}
                field={field}
                value={at(value, field.path)}
                change={(next) => setValue(withValue(value, field.path, next))}
              />
            ))
          )}
        </fieldset>
        {faults.length > 0 && (
          <ul role="alert" className="mt-2 text-sm text-bad">
            {faults.map(({ path, message }) => (
              <li key={path + message}>
                {path.replaceAll("_", " ")}: {message}
              </li>
            ))}
          </ul>
        )}
        {(isBehind || problem?.code === "settings_changed") && (
          <p role="alert" className="mt-2 flex flex-wrap items-center gap-2 text-sm text-warn">
            {isBehind && latest.updated_by !== null ? latest.updated_by : "Somebody"} has changed this since.
            What you typed is not saved. Read it again, then make your change.
            <Button
              disabled={!isBehind}
              onClick={() => {
                save.reset();
                read(latest);
              }}
            >
              Read it again
            </Button>
          </p>
        )}
        {canEdit && isChanged && !isBehind && (
          <div className="mt-3 flex gap-2">
            <Button type="submit" look="primary" isBusy={save.isPending}>
              Save
            </Button>
            <Button look="bare" onClick={() => setValue(area.value)}>
              As it was
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}
