/** Refuses requests by the address that they come from, because some routes are for known networks alone. */
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { atMost } from '../../services/shared/caches/at-most.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { createNetworks, isAddress, networkFault } from './networks.ts';

/** Longer lists belong into a firewall. */
const MOST_NETWORKS = 1_000;
/** Addresses whose verdict is remembered, for each pair of lists. */
const REMEMBERED = 2_000;

const network = z.string().superRefine((text, context) => {
  const fault = networkFault(text);
  if (fault !== null) context.addIssue(`"${text}" ${fault}`);
});
const networks = z.array(network).min(1).max(MOST_NETWORKS);
const lists = {
  allow: networks
    .optional()
    .describe('Addresses and networks that may ask; every other is refused. Absent: all may.'),
  deny: networks
    .optional()
    .describe('Addresses and networks that may not ask, whatever `allow` says. Absent: none.'),
};
const NOTHING = 'needs allow or deny';
const planLists = z
  .strictObject(lists)
  .refine((rule) => isRule(rule), NOTHING)
  .describe('The lists of callers on this price plan.');

const ipParams = z
  .strictObject({
    ...lists,
    plans: z
      .record(z.string(), planLists)
      .optional()
      .describe('By the name of a price plan: the lists of its callers, in place of the two others.'),
  })
  .refine((params) => isRule(params) || Object.keys(params.plans ?? {}).length > 0, `${NOTHING}, or plans`);

interface Lists {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

type Admits = (address: string) => boolean;

function isRule({ allow, deny }: Lists): boolean {
  return allow !== undefined || deny !== undefined;
}

/** Fails closed: an address that cannot be read passes only where there is no list. */
function compile({ allow, deny }: Lists): Admits {
  if (allow === undefined && deny === undefined) return () => true;
  const isAllowed = allow === undefined ? isAddress : createNetworks(allow);
  const isDenied = deny === undefined ? () => false : createNetworks(deny);
  // Lists stay as they are, and clients come again: reading an address and looking it up costs twenty times as much as this.
  const known = new LRUCache<string, boolean>(atMost(REMEMBERED));
  return (address) => {
    let admitted = known.get(address);
    if (admitted === undefined) {
      admitted = isAllowed(address) && !isDenied(address);
      known.set(address, admitted);
    }
    return admitted;
  };
}

function told({ allow, deny }: Lists): string {
  const from = allow === undefined ? 'every address passes' : `only ${allow.join(', ')} pass`;
  return deny === undefined ? from : `${from}, but never ${deny.join(', ')}`;
}

export const ipPolicy = defineGatewayPolicy({
  name: 'ip',
  schema: ipParams,
  unconditional: true,
  check({ plans = {} }, place) {
    const unknown = Object.keys(plans).filter((name) => !place.plans.includes(name));
    return unknown.map((name) => ({
      path: ['plans', name],
      text: `no price plan is named "${name}"`,
      came: name,
      allowed: place.plans,
    }));
  },
  explain({ plans = {}, ...others }) {
    const byPlan = Object.entries(plans).map(([name, rule]) => `on the plan ${name} ${told(rule)}`);
    return [told(others), ...byPlan].join('; ');
  },
  create({ plans = {}, ...others }) {
    const admits = compile(others);
    const byPlan = new Map(Object.entries(plans).map(([name, rule]) => [name, compile(rule)]));
    return function ip(req, _res, next) {
      const { address, principal } = req.context;
      const plan = principal?.caller.plan ?? null;
      const admitted = (plan === null ? admits : (byPlan.get(plan) ?? admits))(address);
      if (admitted) next();
      else next(new ApiError('ACCESS_DENIED', { text: 'This cannot be used from your address.' }));
    };
  },
});
