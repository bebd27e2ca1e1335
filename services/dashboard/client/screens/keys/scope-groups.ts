/** Scopes by what people want them for, and what they tick at once. What each opens stands in docs/api.md and config/gateway.config.yml. */
import type { ApiKeyView, Scope, SessionView, ShippedScope } from '../../api/wire.ts';

/** Every scope of Tidegate stands in one group. */
export const SCOPE_GROUPS = {
  send: ['track:events'],
  read: ['read:data', 'read:links'],
  manage: ['write:links', 'manage:websites', 'manage:flags', 'manage:config'],
} as const satisfies Readonly<Record<string, readonly ShippedScope[]>>;

/** `own`: those that the platform added. */
export type ScopeGroup = keyof typeof SCOPE_GROUPS | 'own';

/** The scopes that a purpose needs, and no other. */
export const PURPOSES = {
  send: ['track:events'],
  reports: ['read:data'],
  assistant: ['read:data', 'read:links'],
  manage: ['read:data', 'read:links', 'write:links', 'manage:websites', 'manage:flags', 'manage:config'],
} as const satisfies Readonly<Record<string, readonly ShippedScope[]>>;

export type Purpose = keyof typeof PURPOSES;

/** Whether these are exactly the scopes of a purpose. */
export function isPurpose(purpose: Purpose, scopes: readonly Scope[]): boolean {
  const wanted: readonly Scope[] = PURPOSES[purpose];
  return wanted.length === scopes.length && wanted.every((scope) => scopes.includes(scope));
}

const SHIPPED: readonly Scope[] = Object.values(SCOPE_GROUPS).flat();

/** Its scopes in the order of the groups, whatever the order of ticking; those of the platform come last, by name. */
export function inOrder(scopes: readonly Scope[]): Scope[] {
  const own = scopes.filter((scope) => !SHIPPED.includes(scope)).sort();
  return [...SHIPPED.filter((scope) => scopes.includes(scope)), ...own];
}

/** The scopes of a key that still open something. */
export function scopesInForce({
  scopes,
  unknownScopes = [],
}: Pick<ApiKeyView, 'scopes' | 'unknownScopes'>): Scope[] {
  return scopes.filter((scope) => !unknownScopes.includes(scope));
}

type Held = Pick<SessionView['data'], 'scopes' | 'listedScopes'>;

/** What a session offers for a key, by group: the scopes that it holds itself, and those in `chosen`; empty groups are left out. */
export function offeredGroups(
  { scopes: held, listedScopes }: Held,
  chosen: readonly Scope[],
): readonly (readonly [ScopeGroup, readonly Scope[]])[] {
  const offered = listedScopes
    .filter(({ name, holders }) => holders.includes('keys') && (held.includes(name) || chosen.includes(name)))
    .map(({ name }) => name);
  const own = offered.filter((scope) => !SHIPPED.includes(scope));
  const groups: (readonly [ScopeGroup, readonly Scope[]])[] = [
    ...Object.entries(SCOPE_GROUPS).map(
      ([group, scopes]) =>
        [group as ScopeGroup, scopes.filter((scope: Scope) => offered.includes(scope))] as const,
    ),
    ['own', own],
  ];
  return groups.filter(([, scopes]) => scopes.length > 0);
}
