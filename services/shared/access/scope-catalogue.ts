/** The scopes in force: what each is for, who may hold it, and which of them the roles of an organization hold. */
import type { Role } from '../model/user.ts';
import { ROLE_SCOPES } from './role-scopes.ts';
import { SCOPES, type Scope, type ShippedScope } from './scopes.ts';

/** Who may hold a scope: API keys, and sessions by the role of their user. */
export const HOLDERS = ['keys', 'sessions'] as const;
export type Holder = (typeof HOLDERS)[number];

/** A scope as the configuration lists it. */
export interface ListedScope {
  readonly name: Scope;
  /** What it opens, in words for people. */
  readonly text: string;
  readonly holders: readonly Holder[];
}

/** One configuration has one; a reload brings the next. */
export interface ScopeCatalogue {
  /** In the order of the configuration. */
  readonly listed: readonly ListedScope[];
  readonly names: readonly Scope[];
  /** Names of those that a key may hold. */
  readonly ofKeys: readonly Scope[];
  /** Names of those that the sessions of a role hold. */
  readonly ofRole: Readonly<Record<Role, readonly Scope[]>>;
}

export function createScopeCatalogue(
  listed: readonly ListedScope[],
  ofRole: ScopeCatalogue['ofRole'],
): ScopeCatalogue {
  return {
    listed,
    names: listed.map(({ name }) => name),
    ofKeys: listed.filter(({ holders }) => holders.includes('keys')).map(({ name }) => name),
    ofRole,
  };
}

/** What the shipped scopes open. */
const TEXTS: Readonly<Record<ShippedScope, string>> = {
  'read:data': 'Read reports and the list of websites',
  'track:events': 'Send events',
  'read:links': 'See short links and their clicks',
  'write:links': 'Create, change and delete short links',
  'manage:websites': 'Create, change and delete websites, and erase visitors',
  'manage:flags': 'Manage feature flags and target groups',
  'manage:config': 'Change the organization and its integrations',
};

/** What a configuration without `scopes` and `roles` has. */
export const SHIPPED_CATALOGUE: ScopeCatalogue = createScopeCatalogue(
  SCOPES.map((name) => ({ name, text: TEXTS[name], holders: HOLDERS })),
  ROLE_SCOPES,
);

/** Of the scopes of a stored key those that open something; the same list when all do. */
export function keyScopesInForce({ ofKeys }: ScopeCatalogue, stored: readonly Scope[]): readonly Scope[] {
  return stored.every((scope) => ofKeys.includes(scope))
    ? stored
    : stored.filter((scope) => ofKeys.includes(scope));
}

/** Of the scopes of a stored key those that open nothing, because the configuration does not list them for keys. */
export function unknownKeyScopes({ ofKeys }: ScopeCatalogue, stored: readonly Scope[]): readonly Scope[] {
  return stored.filter((scope) => !ofKeys.includes(scope));
}
