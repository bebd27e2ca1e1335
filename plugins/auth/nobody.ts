/** Admits anonymous callers: one public principal for all, and what an endpoint that reads no credential still checks. */
import { judgeOrigin } from '../../services/shared/access/origin-rule.ts';
import { type Principal, publicPrincipal } from '../../services/shared/access/principal.ts';
import { limitRule } from '../../services/shared/plans/plans.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { GatewayRequest } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { readSessionFamily } from './read-session.ts';
import { foreignPage } from './session/foreign-page.ts';

/** How long one public principal is used, with the identity tokens signed for it, in milliseconds. */
const PUBLIC_LIFE_MS = 4_000;

/** Returns the current public principal. */
export type Nobody = () => Principal;

export function createNobody(clock: Clock): Nobody {
  let current = publicPrincipal();
  let staleAtMs = 0;

  return function nobody() {
    const now = clock.now();
    if (now >= staleAtMs) {
      current = publicPrincipal();
      staleAtMs = now + PUBLIC_LIFE_MS;
    }
    return current;
  };
}

/** Judges a request of an endpoint whose `access` is public: which page sent it, and which session it counts in. */
export function createLetAnybodyIn(runtime: GatewayRuntime, nobody: Nobody): (req: GatewayRequest) => void {
  const countsSessions = endpointsPerSession(runtime);

  return function letAnybodyIn(req) {
    const { context } = req;
    const { name, origin } = context.endpoint;
    context.principal = nobody();
    if (origin === 'own' && judgeOrigin(req.rawHeaders, runtime.ownDomains) === 'foreign')
      context.refuse(foreignPage());
    if (countsSessions.has(name)) context.sessionFamily = readSessionFamily(req, runtime);
  };
}

/** Names of endpoints that admit anybody and count per session: the refresh, whose token names it. */
function endpointsPerSession({ endpoints, plans }: GatewayRuntime): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name, access, limits } of endpoints.values()) {
    const bySession = limits.some((limit) => limitRule(plans, limit)?.per === 'session');
    if (access === 'public' && bySession) names.add(name);
  }
  return names;
}
