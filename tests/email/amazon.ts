/** Amazon as tests have it: a topic that signs, its certificate, and a store that checks S3's signatures. */
import { createHash, createHmac, createSign, generateKeyPairSync, type KeyObject } from "node:crypto";
import { createServer } from "node:http";
import { type SnsMessage, signedText } from "../../src/channels/email/providers/sns.ts";

const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};

/** A certificate that says nothing but whose key it is, and from when to when. */
export function certificateFor(
  privateKey: KeyObject,
  publicKey: KeyObject,
  fromTo: readonly [string, string],
): string {
  const algorithm = der(0x30, der(0x06, Buffer.from("2a864886f70d01010b", "hex")), der(0x05));
  const validity = der(0x30, ...fromTo.map((time) => der(0x18, Buffer.from(time))));
  const content = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    der(0x30),
    validity,
    der(0x30),
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = createSign("RSA-SHA256").update(content).sign(privateKey);
  const whole = der(0x30, content, algorithm, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

export const TOPIC = "arn:aws:sns:eu-west-1:123456789012:mail";
export const CERTIFICATE_URL = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem";

export function createTopic() {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  let count = 0;
  const sign = (over: Partial<SnsMessage>, version: "1" | "2" = "2"): SnsMessage => {
    count += 1;
    const message: SnsMessage = {
      Type: "Notification",
      MessageId: `message-${count}`,
      TopicArn: TOPIC,
      Message: "{}",
      Timestamp: "2026-11-30T17:00:00.000Z",
      SignatureVersion: version,
      Signature: "",
      SigningCertURL: CERTIFICATE_URL,
      ...over,
    };
    const algorithm = version === "1" ? "RSA-SHA1" : "RSA-SHA256";
    return {
      ...message,
      Signature: createSign(algorithm).update(signedText(message)).sign(privateKey, "base64"),
    };
  };
  return {
    sign,
    certificate: certificateFor(privateKey, publicKey, ["20200101000000Z", "20400101000000Z"]),
    expired: certificateFor(privateKey, publicKey, ["20200101000000Z", "20210101000000Z"]),
  };
}

/** Speaks as much of S3 as reading takes, and checks signature version 4 by its own arithmetic. */
export async function startBucket(access: { accessKeyId: string; secretAccessKey: string; region: string }) {
  const objects = new Map<string, Buffer>();
  const asked: string[] = [];
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const mac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const server = createServer((request, response) => {
    const path = new URL(String(request.url), "http://store.example").pathname;
    asked.push(path);
    const [, day = "", names = "", given = ""] =
      /Credential=[^/]+\/(\d{8})\/[^,]+, SignedHeaders=([^,]+), Signature=(\w+)/.exec(
        request.headers.authorization ?? "",
      ) ?? [];
    const content = String(request.headers["x-amz-content-sha256"]);
    const headers = names.split(";").map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
    const canonical = ["GET", path, "", headers.join(""), names, content].join("\n");
    const area = `${day}/${access.region}/s3/aws4_request`;
    const text = ["AWS4-HMAC-SHA256", String(request.headers["x-amz-date"]), area, hash(canonical)].join(
      "\n",
    );
    const key = ["s3", "aws4_request"].reduce(
      (made, part) => mac(made, part),
      mac(mac(`AWS4${access.secretAccessKey}`, day), access.region),
    );
    if (mac(key, text).toString("hex") !== given)
      return void response.writeHead(403).end("SignatureDoesNotMatch");
    const object = objects.get(decodeURIComponent(path));
    if (object === undefined) return void response.writeHead(404).end("NoSuchKey");
    response.writeHead(200).end(object);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    asked,
    put: (bucket: string, name: string, bytes: Buffer) => void objects.set(`/${bucket}/${name}`, bytes),
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
