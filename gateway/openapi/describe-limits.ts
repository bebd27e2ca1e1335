/** Tells the limits of an operation, as a sentence for people and as data under `x-rate-limits`. */
import {
  costOf,
  type EndpointLimits,
  type NamedLimit,
  overrideOf,
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
    windowSeconds: rule.windowSeconds,
    per: rule.per,
    counts: costOf(limit),
    ...(group === null ? {} : { group }),
    ...(override === null ? {} : { replacedBy: override }),
  };
}

/** The limits as data; `plan` stands for the two windows of the organization's plan, listed under `x-plans`. */
export function limitsData({ limits, plans }: Serving): Json[] {
  if (limits === null) return [];
  const { known, nobody, refused } = limits;
  return [
    ...(known === null ? [] : [{ name: 'plan', callers: 'known', per: plans.plan.per, counts: 'request' }]),
    ...(known ?? []).map((limit) => limitData('known', limit)),
    ...nobody.map((limit) => limitData('anonymous', limit)),
    ...(refused === null ? [] : [limitData('refused', refused)]),
  ];
}

/** The limits in a sentence. */
export function limitsText({ limits, plans }: Serving): string {
  if (limits === null) return 'Limits: none; it is never counted.';
  const { known } = limits;
  const ofKnown =
    known === null
      ? []
      : [`the two windows of the plan, per ${plans.plan.per}`, ...known.map((limit) => limitText(limit))];
  return `Limits: ${[...ofKnown, ...anonymousTexts(limits)].join('; ')}.`;
}

function anonymousTexts({ known, nobody }: EndpointLimits): string[] {
  const prefix = known === null ? '' : 'without a valid credential, ';
  return nobody.map((limit) => `${prefix}${limitText(limit)}`);
}

function limitText(limit: NamedLimit): string {
  const { name, rule, group } = limit;
  const cost = costOf(limit);
  const unit = cost === 'request' ? 'requests' : `${cost} in batches`;
  const grouped = group === null ? '' : ` and group (${group})`;
  return `\`${name}\`, ${rule.limit} ${unit} per ${rule.windowSeconds} s and ${rule.per}${grouped}`;
}
