/** Compares the scopes of two configurations and who holds them. */
import { HOLDERS } from '../../../services/shared/access/scope-catalogue.ts';
import type { Scope } from '../../../services/shared/access/scopes.ts';
import { ROLES } from '../../../services/shared/model/user.ts';
import type { Configuration } from '../configuration.ts';
import { type Change, compareNamed } from './change.ts';

export function diffScopes({ scopes: before }: Configuration, { scopes: after }: Configuration): Change[] {
  type Listed = (typeof before.listed)[number];
  const byName = (listed: readonly Listed[]) => new Map(listed.map((scope) => [scope.name, scope]));
  const ofRole = (catalogue: typeof before) => new Map(ROLES.map((role) => [role, catalogue.ofRole[role]]));
  return [
    ...compareNamed(
      'scope',
      byName(before.listed),
      byName(after.listed),
      ({ text, holders }) => ({ text, holders: HOLDERS.filter((one) => holders.includes(one)).join(', ') }),
      dangersOfScope,
    ),
    ...compareNamed(
      'role',
      ofRole(before),
      ofRole(after),
      (held) => ({ scopes: [...held].sort().join(', ') || null }),
      (from = [], to = []) => {
        const gained = to.filter((scope) => !from.includes(scope));
        return gained.length === 0 ? [] : [`gains ${gained.join(' and ')}`];
      },
    ),
  ];
}

function dangersOfScope(
  from: { readonly holders: readonly string[] } | undefined,
  to: { readonly holders: readonly string[] } | undefined,
  name: Scope,
): string[] {
  if (to === undefined) return [`keys with ${name} lose it`];
  if (from === undefined) return [];
  const gained = to.holders.filter((one) => !from.holders.includes(one));
  return gained.length === 0 ? [] : [`${gained.join(' and ')} may now hold it`];
}
