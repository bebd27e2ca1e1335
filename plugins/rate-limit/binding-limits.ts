/** Which limits bind an organization, whatever it asks: those of its plan, those of endpoints, and those of its keys. */
import type { Caller, GatewayCaller } from '../../services/shared/access/caller.ts';
import { Principal } from '../../services/shared/access/principal.ts';
import type { Organization } from '../../services/shared/model/organization.ts';
import type { Endpoint } from '../../services/shared/plans/endpoint.ts';
import type { LimitSubject, PlansFile } from '../../services/shared/plans/plans.ts';
import type { LimitUse } from '../../services/shared/ports/counter-store.ts';
import { createEndpointLimits, type NamedLimit } from './endpoint-limits.ts';
import { type AskedWith, createNamedUses } from './named-uses.ts';
import { planUses } from './plan-uses.ts';

/** A counter that binds the organization, and what is known of it. */
export interface BindingLimit {
  /** `plan`, or the name in plans.yml. */
  readonly name: string;
  /** The unit that it counts. */
  readonly counts: string;
  /** Names of the endpoints that count in it; null: every one that needs a credential. */
  readonly endpoints: readonly string[] | null;
  /** Whose budget it is; null: that of the whole organization. */
  readonly owner: { readonly kind: 'key' | 'session'; readonly id: string } | null;
  /** Nothing that is asked with it counts. */
  readonly use: LimitUse;
}

/** A limit, and the endpoints that name it. */
interface NamedEndpoints {
  readonly limit: NamedLimit;
  readonly endpoints: Endpoint[];
}

/** `principal`: a session, or {@link organizationPrincipal}. `keyIds`: keys of its organization. */
export type BindingLimits = (principal: Principal, keyIds: readonly string[]) => BindingLimit[];

/** Of no request: nothing that is listed depends on one. */
const NO_REQUEST: AskedWith = { address: '', requestHeader: () => null };

/** Stands for an organization where nobody asks. */
export function organizationPrincipal({
  id,
  plan,
  limits,
}: Pick<Organization, 'id' | 'plan' | 'limits'>): Principal {
  const nobody = { userId: null, role: null, scopes: [], access: { level: 'global' } } as const;
  return new Principal({ ...nobody, id: '', kind: 'public', organizationId: id, plan, scopes: [] }, limits);
}

/** Whose budgets can be named without knowing a request: an address, a header or a claim is known only from one. */
const NAMEABLE: readonly LimitSubject[] = ['organization', 'key', 'session'];

/** The limits of one configuration; the plan is the first, then those of endpoints by their names. */
export function createBindingLimits(plans: PlansFile, endpoints: Iterable<Endpoint>): BindingLimits {
  const limitsOf = createEndpointLimits(plans);
  const namedUses = createNamedUses(plans);
  const named = new Map<string, NamedEndpoints>();
  for (const endpoint of endpoints) {
    // Its callers are nobody's.
    if (endpoint.access === 'public') continue;
    for (const limit of limitsOf(endpoint).known) {
      if (!NAMEABLE.includes(limit.rule.per)) continue;
      const found = named.get(limit.name);
      if (found) found.endpoints.push(endpoint);
      else named.set(limit.name, { limit, endpoints: [endpoint] });
    }
  }
  const sorted = [...named.values()].sort((one, other) => (one.limit.name < other.limit.name ? -1 : 1));

  /** Of the session or of one key; what the whole organization has comes with each of them. */
  function ofCaller(principal: Principal): BindingLimit[] {
    const { caller } = principal;
    const ownerOf = ({ name }: LimitUse, within: LimitSubject): BindingLimit['owner'] => {
      const isOwn =
        within === 'key' || within === 'session' || name.includes(':budget:') || name.includes('@budget:');
      return isOwn ? { kind: caller.kind === 'session' ? 'session' : 'key', id: caller.id } : null;
    };
    const planLimits = NAMEABLE.includes(plans.plan.per)
      ? planUses(principal, NO_REQUEST, plans).map((use) => ({
          name: 'plan',
          counts: 'requests',
          endpoints: null,
          owner: ownerOf(use, plans.plan.per),
          use: asking(use),
        }))
      : [];
    const counting = sorted.filter(({ endpoints: asked }) =>
      asked.some(({ access }) => caller.kind === 'session' || access !== 'session'),
    );
    const others = counting.flatMap(({ limit, endpoints: asked }) =>
      namedUses(limit, { things: 1, bytes: 1 }, principal, NO_REQUEST).map((use) => ({
        name: limit.name,
        counts: UNITS[limit.rule.cost] ?? limit.rule.cost,
        endpoints: asked.map(({ name }) => name),
        owner: ownerOf(use, limit.rule.per),
        use: asking(use),
      })),
    );
    return [...planLimits, ...others];
  }

  return function bindingLimits(principal, keyIds) {
    const keys = keyIds.map((id) => new Principal(keyOf(principal.caller, id), principal.limits));
    const byCounter = new Map<string, BindingLimit>();
    for (const limit of [principal, ...keys].flatMap(ofCaller)) {
      if (!byCounter.has(limit.use.name)) byCounter.set(limit.use.name, limit);
    }
    // What is told apart by the caller belongs to nobody where an organization stands for itself.
    const isNobodys = ({ owner }: BindingLimit) => owner?.id === '';
    return [...byCounter.values()].filter((limit) => !isNobodys(limit));
  };
}

const UNITS: Readonly<Record<string, string>> = { request: 'requests' };

/** As a key of the caller's organization would be counted. */
function keyOf({ organizationId, plan, scopes, access }: GatewayCaller, id: string): Caller {
  return { id, kind: 'key', organizationId, userId: null, role: null, plan, scopes, access };
}

/** Takes nothing, and needs nothing left. */
function asking(use: LimitUse): LimitUse {
  return { ...use, cost: 0, needs: 0 };
}
