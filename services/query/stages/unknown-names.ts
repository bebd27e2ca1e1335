/** The error for a name that a request object or query string does not have: the name probably meant, or all names. */
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { nearestName } from '../../shared/errors/nearest-name.ts';

/** Names that other products use for ours, and that no spelling distance finds; the first known one counts. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  site: ['website_id'],
  siteid: ['website_id'],
  site_id: ['website_id'],
  projectid: ['websiteId'],
  project_id: ['website_id'],
  clientid: ['websiteId'],
  client_id: ['website_id'],
  tz: ['timezone'],
  from: ['startDate', 'start_date'],
  to: ['endDate', 'end_date'],
  since: ['startDate', 'start_date'],
  until: ['endDate', 'end_date'],
  type: ['parameters'],
  metrics: ['parameters'],
  timeunit: ['granularity'],
  interval: ['granularity'],
  orderby: ['sortBy'],
  sort: ['sortBy'],
  order: ['sortOrder'],
  offset: ['page'],
};

const LONGEST = 64;

/** The fault of an unknown name; `suggests`: whether to look for the nearest one, which takes time. */
export function unknownName(
  name: string,
  known: readonly string[],
  suggests: boolean,
): Pick<ErrorDetail, 'message' | 'suggestion'> {
  const suggestion = suggests ? meantBy(name, known) : undefined;
  if (suggestion === undefined) return { message: `Unknown field; allowed: ${known.join(', ')}.` };
  return { message: `Unknown field; did you mean "${suggestion}"?`, suggestion };
}

function meantBy(name: string, known: readonly string[]): string | undefined {
  const lower = name.length > LONGEST ? '' : name.toLowerCase();
  const others = Object.hasOwn(MEANT, lower) ? (MEANT[lower] ?? []) : [];
  return others.find((other) => known.includes(other)) ?? nearestName(name, known);
}

/** A name as a fault shows it. */
export function shownName(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name;
}
