/** What somebody wants of a key, as the form holds it: what is missing in it, and what of it the API is told. */
import type { ApiKeyChanges, ApiKeyInput, ApiKeyView, Scope } from '../../api/wire.ts';
import { type Expiry, expiryOf, instantOf } from './expiry.ts';
import { scopesInForce } from './scope-groups.ts';

/** Which websites were chosen; they are kept while the other choice is tried. */
export interface Reach {
  readonly level: 'global' | 'website';
  readonly websiteIds: readonly string[];
}

export interface Wishes {
  readonly name: string;
  readonly expiry: Expiry;
  readonly scopes: readonly Scope[];
  readonly reach: Reach;
}

/** Fields of the API's body that a form shows. */
export type Field = 'name' | 'expiresAt' | 'scopes' | 'access';
/** What is wrong with a field, by the name of its text. */
export type Missing = 'nameMissing' | 'lastDayMissing' | 'scopesMissing' | 'websitesMissing';
export type Faults = Readonly<Partial<Record<Field, Missing>>>;
export type Step = 'name' | 'scopes' | 'websites';

const MAX_NAME_LENGTH = 100;

/** What is missing, by the step that asks for it, so that it is said before the API is asked, which judges the rest. */
export function faultsOf(
  { name, expiry, scopes, reach }: Wishes,
  zone: string,
  now: number,
): Readonly<Record<Step, Faults>> {
  const length = name.trim().length;
  return {
    name: {
      ...(length >= 1 && length <= MAX_NAME_LENGTH ? {} : { name: 'nameMissing' }),
      ...(instantOf(expiry, zone, now) === undefined ? { expiresAt: 'lastDayMissing' } : {}),
    },
    scopes: scopes.length > 0 ? {} : { scopes: 'scopesMissing' },
    websites: reach.level === 'global' || reach.websiteIds.length > 0 ? {} : { access: 'websitesMissing' },
  };
}

/** The step that asks for a field of the body; null when none does. */
export function stepOfField(field: string): Step | null {
  const top = /^\w+/.exec(field)?.[0];
  if (top === 'name' || top === 'expiresAt') return 'name';
  if (top === 'scopes') return 'scopes';
  return top === 'access' ? 'websites' : null;
}

export function accessOf({ level, websiteIds }: Reach): ApiKeyInput['access'] {
  return level === 'global' ? { level } : { level, websiteIds: [...websiteIds] };
}

/** What of an existing key is to change; what stays is not named, so it overwrites nothing. */
export function changesOf(key: ApiKeyView, wishes: Wishes, zone: string, now: number): ApiKeyChanges {
  const { name, expiry, scopes, reach } = wishes;
  const before = expiryOf(key.expiresAt, zone);
  const isExpiryKept =
    expiry.choice === before.choice && (expiry.choice === 'never' || expiry.date === before.date);
  // A scope that opens nothing any more is not on the form: the key keeps it until somebody changes its scopes.
  const held = scopesInForce(key);
  const areScopesKept = scopes.length === held.length && scopes.every((scope) => held.includes(scope));
  const isAccessKept = sameAccess(accessOf(reach), key.access);
  return {
    ...(name.trim() === key.name ? {} : { name: name.trim() }),
    ...(isExpiryKept ? {} : { expiresAt: instantOf(expiry, zone, now) }),
    ...(areScopesKept ? {} : { scopes: [...scopes] }),
    ...(isAccessKept ? {} : { access: accessOf(reach) }),
  };
}

function sameAccess(a: ApiKeyView['access'], b: ApiKeyView['access']): boolean {
  const websitesOf = (access: ApiKeyView['access']) =>
    access.level === 'global' ? access.level : [...access.websiteIds].sort().join(' ');
  return websitesOf(a) === websitesOf(b);
}
