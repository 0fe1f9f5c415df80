/** Mail: where it comes in, what sends it, and which tenant has which address. */
import type { AwsAccess } from "./channels/email/providers/s3.ts";
import type { Faults, Reader } from "./configuration-reading.ts";
import type { TenantConfiguration } from "./configuration-tenants.ts";

export interface MailConfiguration {
  /** `isGiven`: it was asked for; else another port will do as well. Null: mail comes in by providers only. */
  readonly listen: { readonly port: number; readonly isGiven: boolean } | null;
  /** For the mail server of this machine; null: none. */
  readonly lmtpPort: number | null;
  readonly sending: MailSending;
  /** Keys for what Mailgun posts; null: it posts nothing here. */
  readonly mailgunKeys: readonly string[] | null;
  /** What Amazon posts by SNS; null: nothing. */
  readonly ses: {
    readonly topics: readonly string[];
    readonly bucket: {
      readonly name: string;
      readonly endpoint: string;
      readonly access: AwsAccess;
    } | null;
  } | null;
  /** What signs mail that goes out; null: the server that sends it does, or nobody. */
  readonly dkim: {
    readonly domainName: string;
    readonly keySelector: string;
    readonly privateKey: string;
  } | null;
  /** The `authserv-id` whose verdicts count. */
  readonly trustedServer: string | null;
}

export type MailSending =
  | { readonly by: "sandbox" }
  | { readonly by: "smtp"; readonly url: string }
  | { readonly by: "mailgun"; readonly endpoint: string; readonly domain: string; readonly key: string }
  | { readonly by: "ses"; readonly endpoint: string; readonly access: AwsAccess };

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
  const lmtpPort = read.value("RECOURSE_LMTP_PORT", null);
  const mailgunKeys = read.value("RECOURSE_MAILGUN_SIGNING_KEYS", null);
  const ses = readSes(read, faults);
  const sending = readSending(url, read, faults);
  const wants = [given === "off" ? null : given, url, lmtpPort, mailgunKeys, ses].some((it) => it !== null);
  if (!wants && (given === "off" || !demo)) return null;
  if (url === null && !demo) {
    faults.add(
      "RECOURSE_MAIL_URL",
      "is needed where mail comes in: answers have to go out",
      "Set it to smtp://user:password@host:587 of the server that sends your mail.",
    );
  }
  if (tenants.every(({ mailAddress }) => mailAddress === null)) {
    if (wants) {
      faults.add(
        "RECOURSE_SMTP_PORT",
        "needs a tenant with an address",
        "Give a tenant of recourse.config.json a `mail_address` such as support@shop.example.",
      );
    }
    return null;
  }
  const derived = port === 0 || port + DEMO_PORT_OFFSET > 65_535 ? 0 : port + DEMO_PORT_OFFSET;
  const listen = given === "off" ? null : { port: given ?? derived, isGiven: given !== null };
  return { listen, lmtpPort, sending, mailgunKeys, ses, dkim, trustedServer };
}

/** `mailgun://api:KEY@api.mailgun.net/DOMAIN`, `ses://REGION`, or a server's URL. */
function readSending(url: string | null, read: Reader, faults: Faults): MailSending {
  if (url === null) return { by: "sandbox" };
  const { protocol, host, pathname, password } = new URL(url);
  if (protocol === "mailgun:") {
    const domain = pathname.slice(1);
    if (host === "" || domain === "" || password === "") {
      faults.add(
        "RECOURSE_MAIL_URL",
        "has no server, domain or key of Mailgun",
        "Set it to mailgun://api:KEY@api.mailgun.net/DOMAIN (api.eu.mailgun.net in the EU).",
      );
    }
    return { by: "mailgun", endpoint: `https://${host}`, domain, key: decodeURIComponent(password) };
  }
  if (protocol === "ses:") {
    const access = readAccess(read, faults, host);
    return { by: "ses", endpoint: `https://email.${host}.amazonaws.com`, access };
  }
  return { by: "smtp", url };
}

function readSes(read: Reader, faults: Faults): MailConfiguration["ses"] {
  const topics = read.value("RECOURSE_SES_TOPICS", null);
  const name = read.value("RECOURSE_SES_BUCKET", null);
  const region = read.value("AWS_REGION", null);
  const given = read.value("RECOURSE_S3_ENDPOINT", null);
  if (topics === null) {
    if (name !== null) {
      faults.add("RECOURSE_SES_TOPICS", "is needed with RECOURSE_SES_BUCKET", "Set it to the topics' ARNs.");
    }
    return null;
  }
  if (name === null) return { topics, bucket: null };
  if (region === null) {
    faults.add("AWS_REGION", "is needed with RECOURSE_SES_BUCKET", "Set it to the region of the bucket.");
  }
  const access = readAccess(read, faults, region ?? "");
  const endpoint = given ?? `https://s3.${region}.amazonaws.com`;
  return { topics, bucket: { name, endpoint, access } };
}

function readAccess(read: Reader, faults: Faults, region: string): AwsAccess {
  const accessKeyId = read.value("AWS_ACCESS_KEY_ID", null);
  const secretAccessKey = read.value("AWS_SECRET_ACCESS_KEY", null);
  if (accessKeyId === null || secretAccessKey === null) {
    faults.add(
      accessKeyId === null ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY",
      "is needed for Amazon",
      "Set both to access keys that may read the bucket, and send if SES sends.",
    );
  }
  return {
    region,
    accessKeyId: accessKeyId ?? "",
    secretAccessKey: secretAccessKey ?? "",
    sessionToken: read.value("AWS_SESSION_TOKEN", null),
  };
}
