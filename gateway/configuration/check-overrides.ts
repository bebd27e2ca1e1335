/** Checks the numbers of single organizations and keys: each names a limit that counts their requests, once. */
import { PLAN_NUMBERS } from '../../services/shared/plans/overrides.ts';
import { PUBLIC_LIMIT } from '../../services/shared/plans/plans.ts';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';

/**
 * `limits` is the map of plans.yml. Whether organizations and keys exist is not known here: they stand in the document
 * store.
 */
export function checkOverrides(overrides: Cursor, limits: Cursor): void {
  if (!Array.isArray(overrides.value)) return;
  const rules = isMap(limits.value) ? limits.value : {};
  const allowed = [
    ...PLAN_NUMBERS,
    ...Object.keys(rules).filter((name) => whyNot(name, rules[name]) === null),
  ];
  const seen = new Map<string, number>();
  overrides.value.forEach((entry: unknown, index) => {
    if (!isMap(entry)) return;
    const place = overrides.at(index);
    const { organization, key, limit } = entry;
    if ((organization === undefined) === (key === undefined)) {
      const text = organization === undefined ? 'names nobody' : 'names an organization and a key';
      place.report(`${text}; an override is for one of them`, {
        came: undefined,
        allowed: ['organization: ID', 'key: ID'],
        candidates: [],
      });
    }
    if (typeof limit !== 'string') return;
    if (!allowed.includes(limit)) reportName(place.at('limit'), limit, rules, allowed);
    const whom = JSON.stringify([limit, organization, key]);
    const before = seen.get(whom);
    if (before === undefined) seen.set(whom, index);
    else
      place.report(`says the same limit for the same as overrides[${before}]`, {
        came: undefined,
        candidates: [],
      });
  });
}

function reportName(
  place: Cursor,
  name: string,
  rules: Readonly<Record<string, unknown>>,
  allowed: readonly string[],
): void {
  const reason = Object.hasOwn(rules, name) ? whyNot(name, rules[name]) : null;
  place.report(reason === null ? `${shown(name)} is not a limit of plans.yml` : `"${name}" ${reason}`, {
    allowed,
    candidates: reason === null ? allowed : [],
  });
}

/** Why no organization or key can have a number of its own in this limit; null if it can. */
function whyNot(name: string, rule: unknown): string | null {
  if (name === PUBLIC_LIMIT)
    return 'is replaced by publicPerMinute of an organization (tidegate organizations update)';
  if (!isMap(rule)) return null;
  if (rule.callers === 'anonymous')
    return 'counts callers without a credential, whose organization is unknown';
  if (rule.per === 'parameter') return 'counts per parameter of a path, whoever asks';
  return rule.per === 'account' ? 'counts per account, before anybody is known' : null;
}
