/** `recourse operators …`: the people who work here, from the terminal of whoever runs the server. */
import { checkPassword, normalEmail } from "../../operators/identity/passwords.ts";
import {
  addPerson,
  hashOfPassword,
  type Person,
  personOf,
  removeSecondFactor,
  setPassword,
} from "../../operators/identity/people.ts";
import { createInvitations } from "../../operators/invitations.ts";
import { join } from "../../operators/joining.ts";
import { createJournal } from "../../operators/journal.ts";
import { createKeys } from "../../operators/keys.ts";
import { isPermission, isRole, KEY_SCOPES, ROLES, type Role } from "../../operators/permissions.ts";
import { createTeam } from "../../operators/team.ts";
import type { Store } from "../../store/store.ts";
import { CliError, type Command, type CommandIo, EXIT, readArguments, wholeNumber } from "../command.ts";
import { displayWidth, padTo, plainLine } from "../terminal.ts";
import { TENANT_HELP, TENANT_OPTION, withPlace } from "./place.ts";

/** In the audit log, for what is done here. */
const BY = "terminal";
const DAY_MS = 86_400_000;
const PASSWORD_LINE_MAX = 2_000;

const say = (io: CommandIo, lines: readonly string[]): void => void io.output.write(`${lines.join("\n")}\n`);

function emailOf(command: string, word: string | undefined): string {
  const email = normalEmail(word ?? "");
  if (/^[^\s@]+@[^\s@]+$/.test(email)) return email;
  throw new CliError(
    `"${plainLine(word, 80)}" is not an email address.`,
    `See \`recourse ${command} --help\`.`,
    EXIT.usage,
  );
}

function roleOf(text: string | undefined, otherwise: Role): Role {
  if (text === undefined) return otherwise;
  if (isRole(text)) return text;
  throw new CliError(
    `There is no role "${plainLine(text, 40)}".`,
    `Take one of ${ROLES.join(", ")}.`,
    EXIT.usage,
  );
}

/** The first line of stdin, for scripts: a password on the command line would stand in the list of processes. */
async function passwordFrom(io: CommandIo): Promise<string> {
  let text = "";
  for await (const chunk of io.input) {
    text += chunk.toString();
    if (text.includes("\n") || text.length > PASSWORD_LINE_MAX) break;
  }
  return text.split(/\r?\n/)[0] ?? "";
}

/** Sixteen times five bits, in groups that can be read out. */
function madePassword(io: CommandIo): string {
  const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";
  return [...io.random.bytes(20)]
    .map((byte, at) => `${at > 0 && at % 5 === 0 ? "-" : ""}${alphabet[byte % 32]}`)
    .join("");
}

async function newPassword(
  io: CommandIo,
  fromStdin: boolean,
  of: { readonly email: string; readonly name: string },
): Promise<{ readonly hash: string; readonly shown: readonly string[] }> {
  const password = fromStdin ? await passwordFrom(io) : madePassword(io);
  checkPassword(password, of);
  return {
    hash: await hashOfPassword(password),
    shown: fromStdin
      ? []
      : [`Password: ${password}`, "It is shown this once. It can be changed on the page /account."],
  };
}

/** @throws CliError */
async function known(store: Store, email: string): Promise<Person> {
  const person = await store.identify((tx) => personOf(tx, email));
  if (person === null)
    throw new CliError(`Nobody has the address ${email}.`, "`recourse operators list` shows who does.");
  return person;
}

const add: Command = {
  name: "operators add",
  summary: "Make a person who works here, with a password",
  help: `Usage: recourse operators add EMAIL --name NAME [--role ROLE] [--tenant NAME|all] [--password-stdin]

  --name NAME          what the team sees
  --role ROLE          ${ROLES.join(", ")}; admin unless stated
  --password-stdin     read the password from stdin; otherwise one is made and shown once
${TENANT_HELP}`,
  async run(args, io) {
    const { values, words } = readArguments(
      "operators add",
      args,
      {
        ...TENANT_OPTION,
        name: { type: "string" },
        role: { type: "string" },
        "password-stdin": { type: "boolean" },
      },
      ["EMAIL"],
    );
    const email = emailOf("operators add", words[0]);
    const role = roleOf(values.role, "admin");
    const name = values.name?.trim() ?? "";
    if (name === "") {
      throw new CliError(
        "`recourse operators add` needs --name.",
        "Give the name that the team sees.",
        EXIT.usage,
      );
    }
    return withPlace(io, values.tenant, async ({ store, scopes, baseUrl }) => {
      const { hash, shown } = await newPassword(io, values["password-stdin"] === true, { email, name });
      await store.identify(async (tx) => {
        const person = await addPerson(tx, io, { name, email, passwordHash: hash });
        for (const scope of scopes) {
          await tx.within(scope, (scoped) => join(scoped, io.clock.now(), person, { role, by: BY }));
        }
      });
      const where = scopes.map(({ tenantId }) => tenantId).join(", ");
      say(io, [`${email} works here now: ${role} of ${where}.`, ...shown, `Sign in at ${baseUrl}/sign-in`]);
      return EXIT.ok;
    });
  },
};

const invite: Command = {
  name: "operators invite",
  summary: "Print a link with which somebody joins",
  help: `Usage: recourse operators invite EMAIL [--role ROLE] [--tenant NAME]

  --role ROLE      ${ROLES.join(", ")}; agent unless stated
${TENANT_HELP}

The link works once, for a week. Whoever has it joins: give it to the person yourself.`,
  async run(args, io) {
    const { values, words } = readArguments(
      "operators invite",
      args,
      { ...TENANT_OPTION, role: { type: "string" } },
      ["EMAIL"],
    );
    const email = emailOf("operators invite", words[0]);
    const role = roleOf(values.role, "agent");
    return withPlace(io, values.tenant, async ({ store, scopes, baseUrl }) => {
      const invitations = createInvitations({ store, ...io });
      for (const scope of scopes) {
        const { code, invitation } = await invitations.invite(scope, { email, role, by: BY });
        say(io, [
          `${email} as ${role} of ${scope.tenantId}, until ${invitation.expires_at}:`,
          `${baseUrl}/invitation?code=${encodeURIComponent(code)}`,
        ]);
      }
      return EXIT.ok;
    });
  },
};

const list: Command = {
  name: "operators list",
  summary: "List who works here",
  help: `Usage: recourse operators list [--tenant NAME|all] [--json]

${TENANT_HELP}`,
  async run(args, io) {
    const { values } = readArguments("operators list", args, { ...TENANT_OPTION, json: { type: "boolean" } });
    return withPlace(io, values.tenant ?? "all", async ({ store, scopes }) => {
      const team = createTeam({ store, ...io });
      const rows = [];
      for (const scope of scopes) {
        for (const member of await team.list(scope)) rows.push({ tenant: scope.tenantId, ...member });
      }
      if (values.json === true) {
        say(io, [JSON.stringify({ operators: rows }, null, 2)]);
        return EXIT.ok;
      }
      if (rows.length === 0) say(io, ["Nobody yet. `recourse operators add` makes the first one."]);
      const width = (texts: readonly string[]) => Math.max(0, ...texts.map(displayWidth));
      const emails = width(rows.map(({ email }) => plainLine(email, 60)));
      const tenants = width(rows.map(({ tenant }) => tenant));
      for (const { tenant, email, name, role, state, second_factor } of rows) {
        const marks = [
          ...(state === "active" ? [] : ["disabled"]),
          second_factor ? "second factor" : "no second factor",
        ].join(", ");
        say(io, [
          `${padTo(tenant, tenants)}  ${padTo(plainLine(email, 60), emails)}  ${padTo(role, 7)}  ${plainLine(name, 40)} (${marks})`,
        ]);
      }
      return EXIT.ok;
    });
  },
};

function stateCommand(word: "disable" | "enable"): Command {
  const name = `operators ${word}`;
  return {
    name,
    summary: word === "disable" ? "End somebody's access" : "Give somebody access again",
    help: `Usage: recourse ${name} EMAIL [--tenant NAME|all]

${TENANT_HELP}

Takes effect with their next request.`,
    async run(args, io) {
      const { values, words } = readArguments(name, args, TENANT_OPTION, ["EMAIL"]);
      const email = emailOf(name, words[0]);
      return withPlace(io, values.tenant, async ({ store, scopes }) => {
        const { id } = await known(store, email);
        const team = createTeam({ store, ...io });
        for (const scope of scopes) {
          const { state, role } = await team.setState(
            scope,
            id,
            word === "disable" ? "disabled" : "active",
            BY,
          );
          say(io, [`${email}: ${state} ${role} of ${scope.tenantId}.`]);
        }
        return EXIT.ok;
      });
    },
  };
}

const resetTotp: Command = {
  name: "operators reset-totp",
  summary: "Remove somebody's second factor, and end their sessions",
  help: `Usage: recourse operators reset-totp EMAIL

For whoever lost their app and their recovery codes. They sign in with their password and set it up anew.`,
  async run(args, io) {
    const { words } = readArguments("operators reset-totp", args, {}, ["EMAIL"]);
    const email = emailOf("operators reset-totp", words[0]);
    return withPlace(io, "all", async ({ store }) => {
      const person = await known(store, email);
      await store.identify((tx) => removeSecondFactor(tx, person.id));
      await createJournal({ store, ...io }).record(person, "operator.second_factor_reset", BY);
      say(io, [`${email} has no second factor any more, and no open session.`]);
      return EXIT.ok;
    });
  },
};

const resetPassword: Command = {
  name: "operators reset-password",
  summary: "Give somebody a new password, and end their sessions",
  help: `Usage: recourse operators reset-password EMAIL [--password-stdin]

  --password-stdin     read the password from stdin; otherwise one is made and shown once`,
  async run(args, io) {
    const { values, words } = readArguments(
      "operators reset-password",
      args,
      { "password-stdin": { type: "boolean" } },
      ["EMAIL"],
    );
    const email = emailOf("operators reset-password", words[0]);
    return withPlace(io, "all", async ({ store }) => {
      const person = await known(store, email);
      const { hash, shown } = await newPassword(io, values["password-stdin"] === true, person);
      await store.identify((tx) => setPassword(tx, io, person.id, hash));
      await createJournal({ store, ...io }).record(person, "operator.password_reset", BY);
      say(io, [`${email} has a new password, and no open session.`, ...shown]);
      return EXIT.ok;
    });
  },
};

const key: Command = {
  name: "operators key",
  summary: "Make a key for a script",
  help: `Usage: recourse operators key NAME --scopes A,B [--days N] [--tenant NAME]

  --scopes A,B     what it may do: ${KEY_SCOPES.join(", ")}
  --days N         how long it works; for good unless stated
${TENANT_HELP}

Other commands take it as RECOURSE_OPERATOR_TOKEN or with --token.`,
  async run(args, io) {
    const { values, words } = readArguments(
      "operators key",
      args,
      { ...TENANT_OPTION, scopes: { type: "string" }, days: { type: "string" } },
      ["NAME"],
    );
    const scopes = (values.scopes ?? "").split(",").map((each) => each.trim());
    const wrong = scopes.filter((each) => !isPermission(each) || !KEY_SCOPES.includes(each));
    if (wrong.length > 0) {
      throw new CliError(
        values.scopes === undefined
          ? "`recourse operators key` needs --scopes."
          : `A key cannot be given "${plainLine(wrong.join(","), 80)}".`,
        `Take some of ${KEY_SCOPES.join(", ")}.`,
        EXIT.usage,
      );
    }
    const days = values.days === undefined ? null : wholeNumber("days", values.days, 1, 3_650);
    return withPlace(io, values.tenant, async ({ store, scopes: places }) => {
      for (const scope of places) {
        const made = await createKeys({ store, ...io }).create(scope, {
          name: plainLine(words[0], 60),
          scopes: scopes.filter(isPermission),
          expiresInMs: days === null ? null : days * DAY_MS,
          by: BY,
          having: new Set(KEY_SCOPES),
        });
        say(io, [`${scope.tenantId}: ${made.key}`]);
      }
      say(io, ["It is shown this once."]);
      return EXIT.ok;
    });
  },
};

export const OPERATOR_COMMANDS: readonly Command[] = [
  add,
  invite,
  list,
  stateCommand("disable"),
  stateCommand("enable"),
  resetTotp,
  resetPassword,
  key,
];
