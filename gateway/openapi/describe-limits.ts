/** Describes the limits of an operation, as a sentence for people and as data under `x-rate-limits`. */

import { windowOf, windowText } from '../../services/shared/plans/limit-window.ts';
import {
  costOf,
  type EndpointLimits,
  isEnforced,
  type NamedLimit,
  overrideOf,
  subjectOf,
} from '../configuration/endpoint-limits.ts';
import type { Json } from './json.ts';
import type { Serving } from './served-by.ts';

/** One element of `x-rate-limits`. */
function limitData(callers: 'known' | 'anonymous' | 'refused', limit: NamedLimit): Json {
  const { name, rule, group } = limit;
  const override = overrideOf(limit);
  return {
    name,
    callers,
    limit: rule.limit,
    ...windowData(rule),
    per: rule.per,
    ...('total' in rule && rule.total !== undefined ? { header: rule.header, total: rule.total } : {}),
    ...('claim' in rule && rule.claim !== undefined ? { claim: rule.claim } : {}),
    counts: costOf(limit),
    ...(isEnforced(limit) ? {} : { enforced: false }),
    ...(group === null ? {} : { group }),
    ...(override === null ? {} : { replacedBy: override }),
  };
}

/** The window in seconds, or by the calendar. */
function windowData(rule: NamedLimit['rule']): Json {
  return 'window' in rule && rule.window !== undefined
    ? { window: rule.window }
    : { windowSeconds: rule.windowSeconds };
}

/** The limits as data; `plan` stands for the two windows of the organization's plan, listed under `x-plans`. */
export function limitsData({ limits, plans }: Serving): Json[] {
  if (limits === null) return [];
  const { countsInPlan, known, nobody, refused } = limits;
  return [
    ...(!countsInPlan ? [] : [{ name: 'plan', callers: 'known', per: plans.plan.per, counts: 'request' }]),
    ...(known ?? []).map((limit) => limitData('known', limit)),
    ...nobody.map((limit) => limitData('anonymous', limit)),
    ...(refused === null ? [] : [limitData('refused', refused)]),
  ];
}

/** The limits in a sentence. */
export function limitsText({ limits, plans }: Serving): string {
  if (limits === null) return 'Limits: none; it is never counted.';
  const { countsInPlan, known } = limits;
  const ofKnown =
    known === null
      ? []
      : [
          ...(countsInPlan ? [`the two windows of the plan, per ${plans.plan.per}`] : []),
          ...known.map((limit) => limitText(limit)),
        ];
  return `Limits: ${[...ofKnown, ...anonymousTexts(limits)].join('; ')}.`;
}

function anonymousTexts({ known, nobody }: EndpointLimits): string[] {
  const prefix = known === null ? '' : 'without a valid credential, ';
  return nobody.map((limit) => `${prefix}${limitText(limit)}`);
}

/** What a limit counts. */
const UNITS: Readonly<Record<ReturnType<typeof costOf>, string>> = {
  request: 'requests',
  datasets: 'datasets in batches',
  events: 'events in batches',
  bytes: 'bytes',
  seconds: 'seconds of running (charged afterwards)',
};

function limitText(limit: NamedLimit): string {
  const { name, rule, group } = limit;
  const cost = costOf(limit);
  const unit = UNITS[cost];
  const grouped = group === null ? '' : ` and group (${group})`;
  return `\`${name}\`, ${rule.limit} ${unit} per ${windowText(windowOf(rule))} and ${subjectOf(limit)}${grouped}${isEnforced(limit) ? '' : ' (in shadow: it refuses nobody)'}`;
}
