/** Which limits a request falls under, and under which one subject (contract.md section 4). */
import type { Principal } from '../../services/shared/access/principal.ts';
import type { PlansFile } from '../../services/shared/plugin/plans.ts';
import type { RequestContext } from '../../services/shared/plugin/request-context.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import { addressSubject, publicLimitUses } from '../../services/shared/rate-limit/public-limit.ts';

/** All limits of a request live under one subject: the organization of a valid credential, else the address. */
export interface Charge {
  readonly subject: string;
  readonly uses: readonly LimitUse[];
}

/** Works out the charge of each request; the plan windows of a principal are made once and kept with it. */
export function createLimitUses(plans: PlansFile): (context: RequestContext) => Charge {
  const publicUses = publicLimitUses(plans);
  const publicCharges = {
    ingest: [publicUses.ingest],
    flags: [publicUses.flags],
    links: [publicUses.links],
    other: [publicUses.other],
    'failed-credentials': [publicUses['failed-credentials']],
  };
  const byPrincipal = new WeakMap<Principal, Charge>();

  return function limitUses(context) {
    const { principal, refusal } = context;
    if (principal === null || principal.caller.organizationId === null) {
      const subject = addressSubject(context.address);
      if (refusal?.kind === 'INVALID_API_KEY') return { subject, uses: publicCharges['failed-credentials'] };
      return { subject, uses: publicCharges[principal === null ? 'other' : context.endpoint.class] };
    }
    let charge = byPrincipal.get(principal);
    if (charge === undefined) {
      charge = planCharge(principal, plans);
      byPrincipal.set(principal, charge);
    }
    return charge;
  };
}

/** Both plan windows, counted per organization; limits of its own stand in place of the plan's. */
function planCharge(principal: Principal, plans: PlansFile): Charge {
  const name = principal.caller.plan ?? '';
  const plan = plans.plans[name];
  if (!plan)
    throw new Error(`organization ${principal.caller.organizationId} has the unknown plan "${name}"`);
  const per10Seconds = principal.limits.per10Seconds ?? plan.per10Seconds;
  const perMinute = principal.limits.perMinute ?? plan.perMinute;
  const counted = { name: 'plan', cost: 1, algorithm: 'fixed', onStoreFailure: 'local' } as const;
  return {
    subject: `organization:${principal.caller.organizationId}`,
    uses: [
      { ...counted, limit: per10Seconds, windowMs: 10_000 },
      { ...counted, limit: perMinute, windowMs: 60_000 },
    ],
  };
}
