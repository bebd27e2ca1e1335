/** Whose number a limit is. */
import type { SessionView } from '../../api/wire.ts';

export type LimitName = keyof SessionView['data']['active']['limits'];

/** The numbers that a plan holds; all others are the same for all plans. */
const OF_PLAN: readonly LimitName[] = ['per10Seconds', 'perMinute', 'perDay', 'perMonth'];

export function originOf(name: LimitName, ownLimits: readonly LimitName[]): 'own' | 'plan' | 'service' {
  if (ownLimits.includes(name)) return 'own';
  return OF_PLAN.includes(name) ? 'plan' : 'service';
}
