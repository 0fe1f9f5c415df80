/** The kill switch: whether anything goes out without a person, and who may change that. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { readKillSwitch, setKillSwitch } from "../../api/insights.ts";
import { Badge, Button, Card, cannotShow, Failure, Skeleton } from "../../parts/base.tsx";
import { BOX, Field } from "../../parts/form.tsx";
import { Instant } from "../../parts/time.tsx";
import { notify, notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";

const REASON_CHARS = 2_000;

export function KillSwitch() {
  const { me, may } = useSession();
  const queries = useQueryClient();
  const [reason, setReason] = useState("");
  const read = useQuery({
    queryKey: ["settings", me.tenant, "kill-switch"],
    queryFn: ({ signal }) => readKillSwitch(signal),
  });
  const change = useMutation({
    mutationFn: (on: boolean) => setKillSwitch(on, reason.trim()),
    onSuccess(_, on) {
      setReason("");
      notify({
        title: on ? "Stopped" : "Goes on",
        description: on ? "Nothing goes out without a person." : "The policy decides again.",
      });
      void queries.invalidateQueries({ queryKey: ["settings"] });
    },
    onError(error) {
      notifyProblem(error);
      void queries.invalidateQueries({ queryKey: ["settings"] });
    },
  });
  if (read.isPending) return <Skeleton lines={2} />;
  if (cannotShow(read)) return <Failure error={read.error} retry={() => void read.refetch()} />;
  const { tenant, everywhere } = read.data;
  const isOn = tenant.on;
  const mayChange = may(isOn ? "kill_switch.off" : "kill_switch.on");
  return (
    <Card
      title="Kill switch"
      aside={
        <Badge tone={isOn || everywhere.on ? "bad" : "good"}>{isOn || everywhere.on ? "on" : "off"}</Badge>
      }
    >
      <p className="text-sm">
        {isOn || everywhere.on
          ? "Every refund and every return waits for a person."
          : "The policy decides what goes out without a person."}
      </p>
      {everywhere.on && (
        <p className="mt-1 text-sm text-bad">
          On for all tenants: whoever runs this installation turns it off.
        </p>
      )}
      {tenant.changed_at !== null && (
        <p className="mt-1 text-xs text-dim">
          Turned {isOn ? "on" : "off"} by {tenant.changed_by}, <Instant at={tenant.changed_at} />:{" "}
          {tenant.reason}
        </p>
      )}
      {mayChange && (
        <form
          className="mt-3 flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate(!isOn);
          }}
        >
          <div className="min-w-48 flex-1">
            <Field label="Why">
              {(id) => (
                <input
                  id={id}
                  value={reason}
                  maxLength={REASON_CHARS}
                  required
                  className={BOX}
                  onChange={({ currentTarget }) => setReason(currentTarget.value)}
                />
              )}
            </Field>
          </div>
          <Button
            type="submit"
            look={isOn ? "plain" : "danger"}
            isBusy={change.isPending}
            disabled={reason.trim() === ""}
          >
            {isOn ? "Let the policy decide again" : "Stop what goes out by itself"}
          </Button>
        </form>
      )}
    </Card>
  );
}
