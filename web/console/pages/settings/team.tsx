/** Who works here and who is invited. A link is shown once, to be given to the person. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import {
  changeMember,
  changeRole,
  invitationList,
  invite,
  type Member,
  type MemberChange,
  ROLES,
  resetPassword,
  teamList,
  withdrawInvitation,
} from "../../api/team.ts";
import { Badge, Button, Card, cannotShow, Failure, Skeleton } from "../../parts/base.tsx";
import { BOX, Confirm, Once } from "../../parts/form.tsx";
import { Time } from "../../parts/time.tsx";
import { notify, notifyProblem } from "../../parts/toast.tsx";
import { useSession } from "../../session.tsx";

const ROLE_HINTS =
  "Agents decide, leads decide above the second limit, admins publish and invite, auditors read.";

interface Change {
  readonly member: Member;
  readonly what: MemberChange | "reset-password" | "role";
  readonly role?: string;
}
const ASKED: Readonly<Record<Change["what"], { label: string; text: string }>> = {
  disable: { label: "End access", text: "Their next request is refused, wherever they are signed in." },
  enable: { label: "Give access again", text: "They come back in their old role." },
  "reset-second-factor": {
    label: "Remove second factor",
    text: "For whoever lost their app and their recovery codes. All their sessions end.",
  },
  "reset-password": {
    label: "Make a link for a new password",
    text: "When they use it, their second factor is removed and all their sessions end.",
  },
  role: { label: "Change role", text: "It counts from their next request on." },
};

export function Team() {
  const { me, may } = useSession();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Change | null>(null);
  const [link, setLink] = useState<string | null>(null);
  const canManage = may("operators.manage");
  const team = useQuery({ queryKey: ["team", me.tenant], queryFn: ({ signal }) => teamList(signal) });
  const refresh = () => {
    void queries.invalidateQueries({ queryKey: ["team"] });
    void queries.invalidateQueries({ queryKey: ["invitations"] });
  };
  const change = useMutation({
    mutationFn: async ({ member: { operator_id: id }, what, role }: Change): Promise<string | null> => {
      if (what === "reset-password") return (await resetPassword(id)).link;
      await (what === "role" ? changeRole(id, role ?? "") : changeMember(id, what));
      return null;
    },
    onSuccess: (made) => {
      setAsked(null);
      setLink(made);
      if (made === null) notify({ title: "Changed" });
      refresh();
    },
    onError: notifyProblem,
  });
  if (team.isPending) return <Skeleton lines={5} />;
  if (cannotShow(team)) return <Failure error={team.error} retry={() => void team.refetch()} />;
  return (
    <>
      <Card title="People">
        <p className="mb-2 text-xs text-dim">{ROLE_HINTS}</p>
        <ul>
          {team.data.operators.map((member) => (
            <Person
              key={member.operator_id}
              member={member}
              canManage={canManage}
              ask={(what, role) => setAsked({ member, what, ...(role === undefined ? {} : { role }) })}
            />
          ))}
        </ul>
      </Card>
      <Invitations canManage={canManage} shown={setLink} />
      <Confirm
        title={`${asked === null ? "" : ASKED[asked.what].label}: ${asked?.member.name ?? ""}`}
        label={asked === null ? "" : ASKED[asked.what].label}
        isOpen={asked !== null}
        isBusy={change.isPending}
        isDangerous={asked?.what === "disable"}
        confirm={() => asked !== null && change.mutate(asked)}
        close={() => setAsked(null)}
      >
        {asked?.what === "role" && (
          <p>
            From {asked.member.role} to <strong>{asked.role}</strong>.
          </p>
        )}
        <p>{asked === null ? "" : ASKED[asked.what].text}</p>
      </Confirm>
      <Once title="Link for one use" text={link} close={() => setLink(null)} />
    </>
  );
}

interface PersonProps {
  readonly member: Member;
  readonly canManage: boolean;
  ask(what: Change["what"], role?: string): void;
}

function Person({ member, canManage, ask }: PersonProps) {
  const isActive = member.state === "active";
  return (
    <li className="flex flex-wrap items-center gap-2 border-t border-line py-2 text-sm first:border-t-0">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2">
          <span dir="auto" className="font-medium">
            {member.name}
          </span>
          {!isActive && <Badge tone="warn">no access</Badge>}
          {member.second_factor && <Badge tone="good">second factor</Badge>}
        </p>
        <p className="truncate text-xs text-dim">{member.email}</p>
      </div>
      {canManage ? (
        <>
          <select
            aria-label={`Role of ${member.name}`}
            value={member.role}
            className={`${BOX} !w-auto`}
            onChange={({ currentTarget }) => ask("role", currentTarget.value)}
          >
            {ROLES.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
          <details className="relative">
            <summary className="cursor-pointer rounded-lg border border-line px-3 py-1.5">
              More<span className="sr-only"> for {member.name}</span>
            </summary>
            <div className="mt-1 flex flex-col gap-1">
              <Button onClick={() => ask(isActive ? "disable" : "enable")}>
                {isActive ? "End access …" : "Give access again …"}
              </Button>
              <Button onClick={() => ask("reset-password")}>New password …</Button>
              {member.second_factor && (
                <Button onClick={() => ask("reset-second-factor")}>Remove second factor …</Button>
              )}
            </div>
          </details>
        </>
      ) : (
        <Badge>{member.role}</Badge>
      )}
    </li>
  );
}

function Invitations({ canManage, shown }: { canManage: boolean; shown(link: string): void }) {
  const { me } = useSession();
  const queries = useQueryClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<string>("agent");
  const list = useQuery({
    queryKey: ["invitations", me.tenant],
    queryFn: ({ signal }) => invitationList(signal),
  });
  const refresh = () => void queries.invalidateQueries({ queryKey: ["invitations"] });
  const send = useMutation({
    mutationFn: () => invite(email.trim(), role),
    onSuccess: ({ link }) => {
      setEmail("");
      shown(link);
      refresh();
    },
    onError: notifyProblem,
  });
  const withdraw = useMutation({
    mutationFn: withdrawInvitation,
    onSuccess: refresh,
    onError: notifyProblem,
  });
  const open = list.data?.invitations.filter(({ state }) => state === "open") ?? [];
  return (
    <Card title="Invitations">
      {canManage && (
        <form
          className="mb-2 flex flex-wrap gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            send.mutate();
          }}
        >
          <input
            type="email"
            required
            maxLength={254}
            aria-label="Email of whom to invite"
            placeholder="name@shop.example"
            value={email}
            className={`${BOX} flex-1 basis-48`}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <select
            aria-label="Role"
            value={role}
            className={`${BOX} !w-auto`}
            onChange={({ currentTarget }) => setRole(currentTarget.value)}
          >
            {ROLES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
          <Button type="submit" look="primary" isBusy={send.isPending}>
            Invite
          </Button>
        </form>
      )}
      {list.isPending ? (
        <Skeleton lines={2} />
      ) : cannotShow(list) ? (
        <Failure error={list.error} retry={() => void list.refetch()} />
      ) : open.length === 0 ? (
        <p className="text-sm text-dim">
          Nobody is invited now.{canManage && " Invite by email: you get a link to give to the person."}
        </p>
      ) : (
        <ul>
          {open.map((each) => (
            <li
              key={each.invitation_id}
              className="flex flex-wrap items-center gap-2 border-t border-line py-2 text-sm first:border-t-0"
            >
              <span className="min-w-0 flex-1 basis-48 truncate">{each.email}</span>
              <Badge>{each.kind === "reset" ? "new password" : each.role}</Badge>
              <span className="text-xs text-dim">
                by {each.invited_by}, ends <Time at={each.expires_at} isToCome />
              </span>
              {canManage && (
                <Button isBusy={withdraw.isPending} onClick={() => withdraw.mutate(each.invitation_id)}>
                  Withdraw
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
