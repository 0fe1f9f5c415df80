/** Mail: where it comes in, what sends it, and which tenant has which address. */
import type { Faults, Reader } from "./configuration-reading.ts";
import type { TenantConfiguration } from "./configuration-tenants.ts";

export interface MailConfiguration {
  /** `isGiven`: it was asked for; else another port will do as well. */
  readonly listen: { readonly port: number; readonly isGiven: boolean };
  /** What sends; null: the sandbox's mailbox. */
  readonly url: string | null;
  /** What signs mail that goes out; null: the server that sends it does, or nobody. */
  readonly dkim: {
    readonly domainName: string;
    readonly keySelector: string;
    readonly privateKey: string;
  } | null;
  /** The `authserv-id` whose verdicts count. */
  readonly trustedServer: string | null;
}

/** The demo's listener is so far from its port: 3025 with 3000. */
const DEMO_PORT_OFFSET = 25;

/** Null: this installation has no mail. */
export function readMail(from: {
  readonly read: Reader;
  readonly faults: Faults;
  readonly demo: boolean;
  readonly port: number;
  readonly tenants: readonly TenantConfiguration[];
}): MailConfiguration | null {
  const { read, faults, demo, port, tenants } = from;
  const url = read.value("RECOURSE_MAIL_URL", null);
  const given = read.value("RECOURSE_SMTP_PORT", null);
  const record = read.value("RECOURSE_MAIL_DKIM", null);
  const key = read.value("RECOURSE_MAIL_DKIM_KEY", null);
  if ((record === null) !== (key === null)) {
    faults.add(
      record === null ? "RECOURSE_MAIL_DKIM" : "RECOURSE_MAIL_DKIM_KEY",
      "is needed beside the other",
      "Set RECOURSE_MAIL_DKIM to the DNS record's name and RECOURSE_MAIL_DKIM_KEY to its private key.",
    );
  }
  const dkim =
    record === null || key === null
      ? null
      : { domainName: record.domain, keySelector: record.selector, privateKey: key };
  const trustedServer = read.value("RECOURSE_MAIL_TRUSTED_SERVER", null);
  if (given === "off" || (given === null && !demo && url === null)) return null;
  if (url === null && !demo) {
    faults.add(
      "RECOURSE_MAIL_URL",
      "is needed with RECOURSE_SMTP_PORT: answers have to go out",
      "Set it to smtp://user:password@host:587 of the server that sends your mail.",
    );
  }
  if (tenants.every(({ mailAddress }) => mailAddress === null)) {
    if (given !== null || url !== null) {
      faults.add(
        "RECOURSE_SMTP_PORT",
        "needs a tenant with an address",
        "Give a tenant of recourse.config.json a `mail_address` such as support@shop.example.",
      );
    }
    return null;
  }
  const derived = port === 0 || port + DEMO_PORT_OFFSET > 65_535 ? 0 : port + DEMO_PORT_OFFSET;
  return { listen: { port: given ?? derived, isGiven: given !== null }, url, dkim, trustedServer };
}
