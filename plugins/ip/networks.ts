/** Addresses and networks as the YAML writes them, compiled so that one question is one look-up. */
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** IPv4 as IPv6 shows it (RFC 4291, 2.5.5.2). */
const MAPPED = '::ffff:';

/** What is wrong with a text that should be an address or a network; null: nothing. */
export function networkFault(text: string): string | null {
  const [address = '', prefix, ...rest] = text.split('/');
  if (!isPlain(address) || rest.length > 0) {
    return 'is neither an address nor a network, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32';
  }
  if (isMapped(address)) return `is an IPv4 address in the form of IPv6; write it without ${MAPPED}`;
  if (prefix === undefined) return null;
  const parsed = ipaddr.parse(address);
  const most = parsed.kind() === 'ipv4' ? 32 : 128;
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > most) return `needs a prefix from 0 to ${most}`;
  const first = firstOf(address, Number(prefix));
  if (parsed.toString() === first.toString()) return null;
  return `has bits beyond its prefix; write ${first}/${prefix}`;
}

/** Whether `address` is in one of these networks; an address that cannot be read is in none. */
export function createNetworks(texts: readonly string[]): (address: string) => boolean {
  // One list for each family: in a single one, ::/0 would hold every IPv4 address too.
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of texts) {
    const [address = '', prefix] = text.split('/');
    const family = familyOf(address);
    if (prefix === undefined) lists[family].addAddress(address, family);
    else lists[family].addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = plainOf(address);
    const family = familyOf(plain);
    return lists[family].check(plain, family);
  };
}

/** Whether a peer's address can be read at all: that of a connection that is gone cannot. */
export function isAddress(address: string): boolean {
  return isIP(address) !== 0;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** A zone, such as `%eth0`, says by which interface a packet came, and a mapped address is an IPv4 address. */
function plainOf(address: string): string {
  const zone = address.indexOf('%');
  const bare = zone === -1 ? address : address.slice(0, zone);
  return isIPv6(bare) ? ipaddr.process(bare).toString() : bare;
}

/** As Node reads it, whose lists hold it: ipaddr also reads 10.1 and ::0x7f.0.0.1. */
function isPlain(address: string): boolean {
  return isIPv4(address) || (isIPv6(address) && !address.includes('%'));
}

function isMapped(address: string): boolean {
  return !isIPv4(address) && ipaddr.IPv6.parse(address).isIPv4MappedAddress();
}

function firstOf(address: string, prefix: number): ipaddr.IPv4 | ipaddr.IPv6 {
  const text = `${address}/${prefix}`;
  return isIPv4(address)
    ? ipaddr.IPv4.networkAddressFromCIDR(text)
    : ipaddr.IPv6.networkAddressFromCIDR(text);
}
