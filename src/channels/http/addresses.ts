/**
 * From which address a request comes, for limits of those who have no name yet. Behind a proxy the connection is the
 * proxy's; what it writes of the address before it counts only where the proxy is one that the configuration trusts.
 */
import { BlockList, isIP, isIPv6 } from "node:net";

export interface Addresses {
  /**
   * `forwardedFor`: the header's value. Answers with an IPv4 address, or with the first 64 bits of an IPv6 address: who
   * has one of those has all of its network.
   */
  of(remote: string | undefined, forwardedFor: string | undefined): string;
}

/**
 * @param trusted addresses and networks, such as `10.0.0.0/8`
 * @param onUntrusted told once, with the address, that somebody not trusted names other addresses: a proxy, perhaps
 */
export function createAddresses(
  trusted: readonly string[],
  onUntrusted: (address: string) => void,
): Addresses {
  const proxies = new BlockList();
  for (const each of trusted) {
    const [address = "", bits] = each.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    proxies.addSubnet(address, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family);
  }
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && proxies.check(address, isIPv6(address) ? "ipv6" : "ipv4");
  let wasTold = false;
  return {
    of(remote, forwardedFor) {
      let address = plain(remote ?? "");
      const hops = (forwardedFor ?? "").split(",").map((hop) => plain(hop.trim()));
      if (forwardedFor !== undefined && !wasTold && !isTrusted(address)) {
        wasTold = true;
        onUntrusted(address);
      }
      // From the nearest on: each hop was written by the one after it.
      while (isTrusted(address)) {
        const before = hops.pop();
        if (before === undefined || isIP(before) === 0) break;
        address = before;
      }
      return isIPv6(address) ? networkOf(address) : address;
    },
  };
}

/** An address or a network of addresses. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32));
}

/** IPv4 written as IPv6 is IPv4; a port, brackets and a zone are no part of an address. */
function plain(text: string): string {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return bare.replace(/%.*$/, "").replace(/^::ffff:(?=[\d.]+$)/i, "");
}

function networkOf(address: string): string {
  const [head = "", tail] = address.split("::");
  const [before, after] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":")));
  // The last two groups may be written as IPv4.
  const groups = (before?.length ?? 0) + (after ?? []).reduce((n, it) => n + (it.includes(".") ? 2 : 1), 0);
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups }, () => "0");
  const all = [...(before ?? []), ...zeros, ...(after ?? [])];
  return `${all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
