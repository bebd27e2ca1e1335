/** The counters of a limit that an endpoint names, for a caller with a credential: whose budget it is, and how large. */
import { createHash } from 'node:crypto';
import type { GatewayCaller } from '../../services/shared/access/caller.ts';
import type { Principal } from '../../services/shared/access/principal.ts';
import { overridesOf } from '../../services/shared/plans/overrides.ts';
import type { LimitRule, PlansFile } from '../../services/shared/plans/plans.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { RequestCost } from './body-cost.ts';
import { limitUse, type NamedLimit, ownerWithin } from './endpoint-limits.ts';

/** What a counter may be told apart by, besides the caller. */
export type AskedWith = Pick<RequestContext, 'address' | 'requestHeader'>;

/** One counter; further ones where values of a header share a total, and where the key has a budget of its own. */
export type NamedUses = (
  named: NamedLimit,
  cost: RequestCost,
  principal: Principal,
  context: AskedWith,
) => LimitUse[];

/** Longer values have no budget of their own. */
const LONGEST_VALUE = 256;

/**
 * The number is that of `overrides` for the key or the organization, else the organization's own setting, else the
 * limit's. A key's number replaces that of a limit per credential; elsewhere it is a second budget, within the others'.
 */
export function createNamedUses(plans: PlansFile): NamedUses {
  const overrides = overridesOf(plans);
  return function namedUses(named, cost, { caller, limits }, context) {
    const { name, rule } = named;
    const isOfCredential = rule.per === 'key' || rule.per === 'session';
    const ofKey = caller.kind === 'key' ? overrides.ofKey(caller.id, name) : undefined;
    const ofOrganization =
      overrides.ofOrganization(caller.organizationId ?? '', name) ??
      (rule.override === undefined ? undefined : limits[rule.override]) ??
      rule.limit;
    const number = isOfCredential ? (ofKey ?? ofOrganization) : ofOrganization;
    const uses = [limitUse(named, cost, ownerOf(rule, caller, context), number)];
    if (rule.total !== undefined) uses.push(limitUse(named, cost, 'total', rule.total));
    if (ofKey !== undefined && !isOfCredential) uses.push(limitUse(named, cost, keyBudget(caller), ofKey));
    return uses;
  };
}

/** The counter of a key's budget within the others'. */
export function keyBudget({ id }: GatewayCaller): string {
  return `budget:${id}`;
}

function ownerOf(rule: LimitRule, caller: GatewayCaller, context: AskedWith): string {
  const { per, header, claim } = rule;
  if (per === 'header') {
    const value = header === undefined ? null : context.requestHeader(header);
    // Without one, or with one that is too long, the caller has the budget.
    if (value !== null && value.length <= LONGEST_VALUE) return `header:${tagOf(value)}`;
  } else if (per === 'claim') {
    const value = claim === 'role' ? caller.role : caller.userId;
    if (value !== null) return `claim:${value}`;
  }
  return ownerWithin(per, caller, () => context.address);
}

/** Values of headers, which may name people, do not stand in the store. */
function tagOf(value: string): string {
  return createHash('sha256').update(value).digest('base64url').slice(0, 22);
}
