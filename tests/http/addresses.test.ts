/** Limits of those who have no name yet go by address: nobody gets another one by writing it into a header. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { IdentityLinks } from "../../src/channels/email/email.ts";
import { createAddresses, isNetwork } from "../../src/channels/http/addresses.ts";
import type { HttpParts } from "../../src/channels/http/parts.ts";
import type { TenantId } from "../../src/kernel/ids.ts";
import { type Running, startServer } from "./fixture.ts";

const nobody = () => {};

describe("the address of a request", () => {
  test.each([
    ["no proxy", [], "203.0.113.9", undefined, "203.0.113.9"],
    ["a header of somebody not trusted", [], "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["a trusted proxy", ["10.0.0.0/8"], "10.1.2.3", "198.51.100.1", "198.51.100.1"],
    [
      "what stands before the hop of a trusted proxy",
      ["10.0.0.0/8"],
      "10.1.2.3",
      "1.1.1.1, 198.51.100.1",
      "198.51.100.1",
    ],
    [
      "two trusted proxies",
      ["10.0.0.0/8", "192.0.2.7"],
      "10.1.2.3",
      "198.51.100.1, 192.0.2.7",
      "198.51.100.1",
    ],
    ["a trusted proxy that names nobody", ["10.0.0.0/8"], "10.1.2.3", undefined, "10.1.2.3"],
    [
      "a trusted proxy that names no address",
      ["10.0.0.0/8"],
      "10.1.2.3",
      "198.51.100.1, unknown",
      "10.1.2.3",
    ],
    ["IPv4 written as IPv6", ["10.0.0.0/8"], "::ffff:10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"],
    ["a port beside it", ["10.0.0.0/8"], "10.1.2.3", "198.51.100.1:4711", "198.51.100.1"],
    ["IPv6 in brackets: its network", ["::1"], "::1", "[2001:db8:1:2:3::9]:443", "2001:db8:1:2::/64"],
    [
      "an IPv6 address of the same network",
      ["fd00::/8"],
      "fd00::1",
      "2001:0db8:0001:2::1",
      "2001:db8:1:2::/64",
    ],
    ["a short IPv6 address", [], "2001:db8::1", undefined, "2001:db8:0:0::/64"],
    ["an IPv6 address that ends as IPv4", [], "64:ff9b::198.51.100.1", undefined, "64:ff9b:0:0::/64"],
    ["a zone", [], "fe80::1%eth0", undefined, "fe80:0:0:0::/64"],
  ])("%s", (_what, trusted, remote, forwardedFor, address) => {
    expect(createAddresses(trusted, nobody).of(remote, forwardedFor)).toBe(address);
  });

  test("is never one that only an untrusted sender has written, whatever stands in the header", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string({ maxLength: 12 })), { maxLength: 6 }),
        (forged) => {
          const addresses = createAddresses(["10.0.0.1"], nobody);
          // The proxy adds whom it heard.
          expect(addresses.of("10.0.0.1", [...forged, "203.0.113.9"].join(", "))).toBe("203.0.113.9");
          expect(addresses.of("203.0.113.9", forged.join(", "))).toBe("203.0.113.9");
        },
      ),
    );
  });

  test("somebody who names addresses and is not trusted is reported once", () => {
    const told: string[] = [];
    const addresses = createAddresses(["10.0.0.1"], (address) => told.push(address));
    addresses.of("10.0.0.1", "203.0.113.9");
    for (let n = 0; n < 3; n += 1) addresses.of("10.0.0.2", "203.0.113.9");
    expect(told).toEqual(["10.0.0.2"]);
  });
});

test.each([
  ["10.0.0.0/8", true],
  ["192.168.1.7", true],
  ["fd00::/8", true],
  ["::1", true],
  ["10.0.0.0/33", false],
  ["10.0.0.0/", false],
  ["10.0.0.0/8/8", false],
  ["proxy.example", false],
  ["", false],
])("%s is a network: %s", (text, is) => {
  expect(isNetwork(text)).toBe(is);
});

describe("links in mails", () => {
  const confirmed: string[] = [];
  const answer = { tenantId: "northwind" as TenantId, language: "en" as const };
  const identityLinks: IdentityLinks = {
    look: async () => ({ ...answer, address: "a@example.com" }),
    async confirm(token) {
      confirmed.push(token);
      return answer;
    },
  };
  const limits = { linksPerAddressBurst: 2, linksPerAddressPerSecond: 0.001, signInsPerAddressBurst: 1 };
  const start = (trustedProxies: readonly string[]): Promise<Running> =>
    startServer({ identityLinks, limits, trustedProxies } as Partial<HttpParts>);
  const click = (running: Running, token: string, forwardedFor: string) =>
    running.call("POST", `/confirm/${token}`, {
      token: null,
      raw: "",
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: running.url,
        "x-forwarded-for": forwardedFor,
      },
    });
  const statuses = async (running: Running, name: string, froms: readonly string[]) => {
    const all: number[] = [];
    for (const [n, from] of froms.entries()) all.push((await click(running, `${name}${n}`, from)).status);
    return all;
  };

  test("each customer behind a trusted proxy has a limit of their own, and who forges the header has none more", async () => {
    const running = await start(["127.0.0.1"]);
    const [ada, ben] = ["198.51.100.1", "198.51.100.2"];
    expect(await statuses(running, "a", [ada, ada, ada, ben, ben, ben])).toEqual([
      200, 200, 429, 200, 200, 429,
    ]);
    expect(await statuses(running, "forged", [`1.1.1.1, ${ada}`, `2.2.2.2, ${ada}`])).toEqual([429, 429]);
    expect(confirmed).toEqual(["a0", "a1", "a3", "a4"]);
  });

  test("without one all share the limit of the connection, and the log says why", async () => {
    const running = await start([]);
    const froms = ["198.51.100.1", "198.51.100.2", "198.51.100.3"];
    expect(await statuses(running, "b", froms)).toEqual([200, 200, 429]);
    expect(JSON.stringify(running.log)).toContain("RECOURSE_TRUSTED_PROXIES");
  });
});
