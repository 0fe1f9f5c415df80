/** Objects of a store that speaks S3's API: where SES leaves mails that are too large for SNS. */
import { AwsClient } from "aws4fetch";
import type { Clock } from "../../../kernel/ports.ts";
import { type Fetch, fetchBytes } from "./fetching.ts";

export interface AwsAccess {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

/** A client for one service, which asks once: who calls comes again. */
export const awsClient = (access: AwsAccess, service: "s3" | "ses"): AwsClient =>
  new AwsClient({
    region: access.region,
    accessKeyId: access.accessKeyId,
    secretAccessKey: access.secretAccessKey,
    ...(access.sessionToken === null ? {} : { sessionToken: access.sessionToken }),
    service,
    retries: 0,
  });

/** `20261203T044500Z`, as a signature has it. */
export const awsTime = (clock: Clock): string =>
  new Date(clock.now()).toISOString().replace(/[:-]|\.\d{3}/g, "");

/** @throws ProblemError `mail_source_unavailable` */
export type ReadObject = (key: string, maxBytes: number) => ReturnType<typeof fetchBytes>;

export function createBucket(parts: {
  readonly access: AwsAccess;
  /** `https://s3.eu-west-1.amazonaws.com`, or another that speaks its API. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly clock: Clock;
  readonly fetch: Fetch;
}): ReadObject {
  const client = awsClient(parts.access, "s3");
  return async (key, maxBytes) => {
    const path = key.split("/").map(encodeURIComponent).join("/");
    const request = await client.sign(`${parts.endpoint}/${parts.bucket}/${path}`, {
      aws: { datetime: awsTime(parts.clock) },
    });
    return fetchBytes(parts, request, maxBytes);
  };
}
