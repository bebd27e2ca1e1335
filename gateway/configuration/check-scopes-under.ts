/** Checks `scopesUnder` of an apiEndpoint: selectors of a query under which other scopes suffice as well. */
import { type ScopesUnder, SELECTORS, type Selector } from '../../services/shared/access/scope-rule.ts';
import type { Scope } from '../../services/shared/access/scopes.ts';
import type { ApiEndpoint } from './configuration.ts';
import type { Cursor } from './cursor.ts';

const write = (selector: Selector) => `write "${selector}", which covers both spellings`;
const REFUSED = {
  linkId: write('link_id'),
  websiteId: write('website_id'),
  organizationId: write('organization_id'),
};

/** Undefined when the key is absent, or after a fault. */
export function checkScopesUnder(
  cursor: Cursor,
  access: ApiEndpoint['access'],
  known: readonly Scope[],
): ScopesUnder | undefined {
  if (cursor.value === undefined) return undefined;
  if (access !== 'scoped') {
    cursor.report('needs scopes', { candidates: [] });
    return undefined;
  }
  if (!cursor.map('map of scopes by selector', SELECTORS, REFUSED)) return undefined;
  const named = SELECTORS.filter((selector) => cursor.at(selector).value !== undefined);
  return Object.fromEntries(named.map((selector) => [selector, checkScopes(cursor.at(selector), known)]));
}

function checkScopes(cursor: Cursor, known: readonly Scope[]): Scope[] {
  const items = cursor.list('a list of scopes');
  if (items?.length === 0) {
    cursor.report('is an empty list, which would admit every caller', { allowed: known, candidates: [] });
  }
  return (items ?? []).flatMap((item) => {
    const scope = known.find((name) => name === item.value);
    if (!scope)
      item.report(`${JSON.stringify(item.value)} is not a valid scope`, {
        came: item.value,
        allowed: known,
      });
    return scope ? [scope] : [];
  });
}
