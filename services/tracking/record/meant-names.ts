/** Guesses the intended name of an unknown field, so that the error can suggest the right one. */
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { nearestName } from '../../shared/errors/nearest-name.ts';
import { PAGEVIEW } from './put-name.ts';

/** For each required field, the names that other clients give it. */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  name: ['event', 'eventName', 'event_name', 'eventType', 'event_type', 'action'],
  metricName: ['metric_name', 'metric', 'name'],
  metricValue: ['metric_value', 'value'],
  message: ['error', 'errorMessage', 'error_message', 'msg'],
  profileId: ['profile_id', 'userId', 'user_id', 'userID', 'distinctId', 'distinct_id'],
};

/** How many fields are compared with a missing one: an object may have thousands, and comparing takes time. */
const MOST_COMPARED = 20;

/**
 * The fields of `event` that probably hold the values of `missing` fields, each with the right name; `known`: fields with a
 * meaning of their own. `prefix` precedes each field.
 */
export function misnamedFields(
  event: unknown,
  missing: readonly PropertyKey[],
  known: ReadonlySet<string>,
  prefix: string,
): ErrorDetail[] {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) return [];
  const given = event as Readonly<Record<string, unknown>>;
  const isGiven = (name: string) =>
    Object.hasOwn(given, name) && ['string', 'number'].includes(typeof given[name]);
  return missing.flatMap((field) => {
    if (typeof field !== 'string' || !Object.hasOwn(OTHER_NAMES, field)) return [];
    const came =
      OTHER_NAMES[field]?.find(isGiven) ??
      Object.keys(given)
        .slice(0, MOST_COMPARED)
        .find((name) => !known.has(name) && isGiven(name) && nearestName(name, [field]) !== undefined);
    if (came === undefined) return [];
    const message = `The event says here what belongs in ${field}; did you mean "${field}"?`;
    return [{ field: prefix === '' ? came : `${prefix}.${came}`, message, suggestion: field }];
  });
}

/** Types under which other clients send pageviews, reduced to lower-case letters. */
const PAGEVIEW_TYPES: ReadonlySet<string> = new Set([
  'pageview',
  'pageviews',
  'page',
  'screenview',
  'screen',
]);

/** The type probably meant by an unknown one. */
export function meantType(came: unknown, types: readonly string[]): string | undefined {
  if (typeof came !== 'string') return undefined;
  const letters = came
    .slice(0, 40)
    .toLowerCase()
    .replace(/[^a-z]/g, '');
  return PAGEVIEW_TYPES.has(letters) ? PAGEVIEW : nearestName(came, types);
}
