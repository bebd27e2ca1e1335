/** How an event names its website: the one rule for all routes, so that no misspelled name loses an event (contract.md section 1). */
import type { ErrorDetail } from '../../shared/errors/api-error.ts';

/** The field that names it. */
const FIELD = 'websiteId';
/** Its other name. */
export const WEBSITE_ALIAS = 'website_id';

/** Names that clearly mean the website but are not accepted. `clientId` and `client_id` of older clients are ignored. */
export const MISTAKEN_NAMES = [
  'website',
  'websiteID',
  'website-id',
  'site',
  'siteId',
  'siteID',
  'site_id',
  'projectId',
  'project_id',
] as const;

/** Names with which {@link websiteNameFaults} has to look at an event. */
export const DOUBTFUL_NAMES: readonly string[] = [WEBSITE_ALIAS, ...MISTAKEN_NAMES];

/** Faults in how an event names its website; null is absent. `prefix` precedes each field. */
export function websiteNameFaults(event: unknown, prefix: string): ErrorDetail[] {
  if (typeof event !== 'object' || event === null) return [];
  const given = event as Readonly<Record<string, unknown>>;
  const at = (name: string) => (prefix === '' ? name : `${prefix}.${name}`);
  const faults: ErrorDetail[] = [];
  for (const name of MISTAKEN_NAMES) {
    if (!Object.hasOwn(given, name) || (given[name] ?? null) === null) continue;
    const message = `An event names its website as ${FIELD}, or ${WEBSITE_ALIAS}.`;
    faults.push({ field: at(name), message, suggestion: FIELD });
  }
  const { [FIELD]: named, [WEBSITE_ALIAS]: alias } = given;
  if ((named ?? null) !== null && (alias ?? null) !== null && named !== alias) {
    faults.push({
      field: at(WEBSITE_ALIAS),
      message: `Expected the same website as ${FIELD}, or one of the two.`,
    });
  }
  return faults;
}

/** The field in which the event `event`, as received, names its website. */
export function usedWebsiteName(event: unknown): string {
  if (typeof event !== 'object' || event === null) return FIELD;
  const { [FIELD]: named, [WEBSITE_ALIAS]: alias } = event as Readonly<Record<string, unknown>>;
  return (named ?? null) === null && (alias ?? null) !== null ? WEBSITE_ALIAS : FIELD;
}
