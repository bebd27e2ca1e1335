/** The window of a limit: so many seconds from its first request on, or a period of the calendar. */
import { type LimitUse, LONGEST_PERIOD_MS } from '../ports/counter-store.ts';
import type { LimitRule } from './plans.ts';

/** As a counter takes it. */
export type LimitWindow = Pick<LimitUse, 'windowMs' | 'period'>;

/** The window of a rule. @throws Error when the rule says none, which the check of plans.yml refuses */
export function windowOf({
  windowSeconds,
  window,
}: Pick<LimitRule, 'windowSeconds' | 'window'>): LimitWindow {
  if (window !== undefined) return { windowMs: LONGEST_PERIOD_MS[window], period: window };
  if (windowSeconds === undefined) throw new Error('a limit has neither windowSeconds nor window');
  return { windowMs: windowSeconds * 1000 };
}

/** As texts write it after `per`: `60 s`, or `day (UTC)`. */
export function windowText({ windowMs, period }: LimitWindow): string {
  return period === undefined ? `${windowMs / 1000} s` : `${period} (UTC)`;
}
