/** The limit of requests without a valid credential: per address and group (contract.md section 4, Limits). */
import ipaddr from 'ipaddr.js';
import type { LimitUse } from '../ports/counter-store.ts';
import type { PlansFile } from './plans.ts';

/** The groups of endpoints; an address has a separate budget in each. */
export const PUBLIC_GROUPS = ['flags', 'ingest', 'links', 'failed-credentials', 'other'] as const;
export type PublicGroup = (typeof PUBLIC_GROUPS)[number];

/** The public limit of each group, built once. */
export function publicLimitUses(plans: PlansFile): Readonly<Record<PublicGroup, LimitUse>> {
  const { limit, windowSeconds, algorithm, onStoreFailure } = plans.limits.public;
  const use = (group: PublicGroup): LimitUse => ({
    name: `public:${group}`,
    limit,
    windowMs: windowSeconds * 1000,
    cost: 1,
    algorithm,
    onStoreFailure,
  });
  return {
    flags: use('flags'),
    ingest: use('ingest'),
    links: use('links'),
    'failed-credentials': use('failed-credentials'),
    other: use('other'),
  };
}

/** The counter subject of an address: an IPv6 address counts as its /64, an IPv4-mapped one as IPv4. */
export function addressSubject(address: string): string {
  if (!address.includes(':')) return `address:${address}`;
  if (!ipaddr.isValid(address)) return 'address:unknown';
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return `address:${parsed.toString()}`;
  const network = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `address:${network.join(':')}::/64`;
}
