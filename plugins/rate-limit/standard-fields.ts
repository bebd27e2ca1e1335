/** The fields of draft-ietf-httpapi-ratelimit-headers beside the three headers: all limits of a request, and where each stands. */
import type { LimitCost } from '../../services/shared/plans/plans.ts';
import {
  type LimitDecision,
  type LimitState,
  type LimitUse,
  LONGEST_PERIOD_MS,
} from '../../services/shared/ports/counter-store.ts';
import { monthSpanMs } from '../../services/shared/storage/window-length.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { costOfUse, type EndpointLimits } from './endpoint-limits.ts';

/** What a limit counts, as `qu`; requests are the draft's default. */
const UNITS: Readonly<Record<LimitCost, string>> = {
  request: '',
  datasets: ';qu="datasets"',
  events: ';qu="events"',
  bytes: ';qu="content-bytes"',
  seconds: ';qu="seconds"',
};

/**
 * Adds `RateLimit-Policy`, such as `"plan-60s";q=300;w=60, "exports";q=20;w=86400`, and `RateLimit`, such as
 * `"plan-60s";r=299;t=60, "exports";r=4;t=3600`. Limits in shadow are not among them: they bind nobody.
 */
export function tellStandardFields(
  context: RequestContext,
  decision: LimitDecision,
  uses: readonly LimitUse[],
  limits: EndpointLimits,
): void {
  const policies: string[] = [];
  const standing: string[] = [];
  uses.forEach((use, index) => {
    if (use.shadow) return;
    const { limit, remaining, resetAtMs } = decision.states[index] as LimitState;
    const name = policyName(use);
    policies.push(
      `${name};q=${limit};w=${spanMs(use, decision.nowMs) / 1000}${UNITS[costOfUse(limits, use)]}`,
    );
    standing.push(`${name};r=${remaining};t=${Math.max(0, Math.ceil((resetAtMs - decision.nowMs) / 1000))}`);
  });
  context.addHeader('RateLimit-Policy', policies.join(', '));
  context.addHeader('RateLimit', standing.join(', '));
}

/** Quoted, and without whom it counts: `plan@10s:key:key_a` is "plan-10s". The budget of a key and a total are named so. */
function policyName({ name }: LimitUse): string {
  const [limit = '', owner = ''] = name.split('@');
  const window = limit === 'plan' ? `-${owner.split(':')[0]}` : '';
  const whose = KEY_BUDGET.test(owner) ? '-key' : owner === 'total' ? '-total' : '';
  return `"${limit.replaceAll(':', '-')}${window}${whose}"`;
}

const KEY_BUDGET = /(?:^|:)budget:/;

/** The length of the whole window; of a month, of this one. */
function spanMs({ period, windowMs }: LimitUse, nowMs: number): number {
  return period === 'month' ? monthSpanMs(nowMs) : period === 'day' ? LONGEST_PERIOD_MS.day : windowMs;
}
