/** Checks `scopesUnder` of an apiEndpoint: parameters of the query string under which other scopes serve as well. */
import type { ScopesUnder } from '../../services/shared/access/scope-rule.ts';
import { SCOPES, type Scope } from '../../services/shared/access/scopes.ts';
import type { ApiEndpoint } from './configuration.ts';
import type { Cursor } from './cursor.ts';

/** Undefined when the key is absent, or after a fault. */
export function checkScopesUnder(cursor: Cursor, access: ApiEndpoint['access']): ScopesUnder | undefined {
  if (cursor.value === undefined) return undefined;
  if (access !== 'scoped') {
    cursor.report('stands without scopes', { candidates: [] });
    return undefined;
  }
  const names = cursor.keys('map of scopes by query parameter');
  if (!names) return undefined;
  return Object.fromEntries(names.map((name) => [name, checkScopes(cursor.at(name))]));
}

function checkScopes(cursor: Cursor): Scope[] {
  const items = cursor.list('a list of scopes');
  if (items?.length === 0) {
    cursor.report('is an empty list, which would let everybody in', { allowed: SCOPES, candidates: [] });
  }
  return (items ?? []).flatMap((item) => {
    const scope = SCOPES.find((known) => known === item.value);
    if (!scope)
      item.report(`${JSON.stringify(item.value)} is no scope`, { came: item.value, allowed: SCOPES });
    return scope ? [scope] : [];
  });
}
