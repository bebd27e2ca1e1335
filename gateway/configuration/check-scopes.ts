/** Checks `scopes` and `roles`: which scopes there are, who may hold each, and what the roles of an organization hold. */

import { mayGive } from '../../services/shared/access/given-roles.ts';
import { ROLE_SCOPES } from '../../services/shared/access/role-scopes.ts';
import {
  createScopeCatalogue,
  HOLDERS,
  type Holder,
  type ListedScope,
  type ScopeCatalogue,
  SHIPPED_CATALOGUE,
} from '../../services/shared/access/scope-catalogue.ts';
import { LONGEST_SCOPE, SCOPE_NAME, SCOPES, type Scope } from '../../services/shared/access/scopes.ts';
import { ROLES, type Role } from '../../services/shared/model/user.ts';
import { type DeclaredEndpoint, memberAt, reportTwice } from './check-endpoints.ts';
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';

/** How many scopes a configuration may list: tokens, pages and the description of the API name them all. */
const MOST_SCOPES = 100;
const LONGEST_TEXT = 200;

const SHIPPED: ReadonlySet<Scope> = new Set(SCOPES);

/** The scopes that the file lists. Without `scopes` or `roles` those are the shipped ones; faults leave out what is faulty. */
export function checkScopeCatalogue(file: Cursor): ScopeCatalogue {
  const scopes = file.at('scopes');
  const listed = scopes.value === undefined ? SHIPPED_CATALOGUE.listed : checkListed(scopes);
  return createScopeCatalogue(listed, checkRoles(file.at('roles'), listed));
}

function checkListed(cursor: Cursor): readonly ListedScope[] {
  const names = cursor.keys('map of scopes by name');
  if (names === null) return SHIPPED_CATALOGUE.listed;
  if (names.length > MOST_SCOPES) {
    const allowed = [`at most ${MOST_SCOPES}`];
    cursor.report(`lists ${names.length} scopes`, { came: names.length, allowed, candidates: [] });
    return SHIPPED_CATALOGUE.listed;
  }
  for (const name of SCOPES) {
    if (names.includes(name)) continue;
    const candidates = names.filter((other) => !SHIPPED.has(other));
    cursor.report(`lacks ${name}: the scopes of the API cannot be dropped`, { came: name, candidates });
  }
  return names.flatMap((name) => checkScope(cursor.at(name), name) ?? []);
}

function checkScope(cursor: Cursor, name: string): ListedScope | null {
  if (name.length > LONGEST_SCOPE || !SCOPE_NAME.test(name)) {
    cursor.report(`${shown(name)} is not a valid name of a scope`, {
      came: name,
      allowed: [
        `a verb and a noun of a-z, 0-9 and "-", at most ${LONGEST_SCOPE} characters, such as read:orders`,
      ],
      candidates: [],
    });
    return null;
  }
  if (!cursor.map('map with text and holders', ['text', 'holders'])) return null;
  const text = checkText(cursor.at('text'));
  const holders = checkHolders(cursor.at('holders'), name);
  return { name, text, holders };
}

function checkText(cursor: Cursor): string {
  const { value } = cursor;
  if (typeof value === 'string' && /^\P{Cc}{1,200}$/u.test(value) && value.trim() !== '') return value;
  cursor.report(value === undefined || value === null ? 'is missing' : `${shown(value)} is not allowed`, {
    allowed: [`what the scope opens, in a line of 1 to ${LONGEST_TEXT} characters`],
    candidates: [],
  });
  return '';
}

function checkHolders(cursor: Cursor, name: Scope): readonly Holder[] {
  if (cursor.value === undefined) return HOLDERS;
  const items = cursor.list('a list of keys, sessions, or both');
  if (items === null) return HOLDERS;
  if (items.length === 0)
    cursor.report('is an empty list, so nobody could hold the scope', { allowed: HOLDERS, candidates: [] });
  const holders = items.map((item) => memberAt<Holder>(item, HOLDERS, 'holder'));
  reportTwice(items, holders);
  if (SHIPPED.has(name) && !HOLDERS.every((holder) => holders.includes(holder)))
    cursor.report('keys and sessions may hold the scopes of the API; `roles` says which sessions do', {
      allowed: ['keys and sessions'],
      candidates: [],
    });
  return HOLDERS.filter((holder) => holders.includes(holder));
}

function checkRoles(cursor: Cursor, listed: readonly ListedScope[]): ScopeCatalogue['ofRole'] {
  if (cursor.value === undefined || !cursor.map('map of scopes by role', ROLES)) return ROLE_SCOPES;
  const of = (role: Role): readonly Scope[] => {
    const place = cursor.at(role);
    return place.value === undefined ? ROLE_SCOPES[role] : checkRole(place, role, listed);
  };
  return { owner: of('owner'), admin: of('admin'), member: of('member'), viewer: of('viewer') };
}

function checkRole(cursor: Cursor, role: Role, listed: readonly ListedScope[]): readonly Scope[] {
  const items = cursor.list('a list of scopes');
  if (items === null) return ROLE_SCOPES[role];
  const names = listed.map(({ name }) => name);
  const held = items.map((item) => {
    const name = memberAt<Scope>(item, names, 'scope');
    const isOfKeys = listed.some((scope) => scope.name === name && !scope.holders.includes('sessions'));
    if (isOfKeys)
      item.report(`the holders of ${name} are keys alone`, {
        allowed: ['holders: [keys, sessions]'],
        candidates: [],
      });
    return name;
  });
  reportTwice(items, held);
  if (role === 'owner') requireAll(cursor, held);
  return held.filter((name) => name !== null);
}

/** An owner who lacks a scope could give it to nobody, and nobody of the organization could mend that. */
function requireAll(cursor: Cursor, held: readonly (Scope | null)[]): void {
  const lacking = SCOPES.filter((name) => !held.includes(name));
  if (lacking.length === 0) return;
  cursor.report(`lacks ${lacking.join(', ')}: an owner holds every scope of the API`, {
    came: lacking[0],
    candidates: [],
  });
}

/** Warns, below `place`, of roles by which somebody gives another account scopes that they do not hold. */
export function warnOfGivenRoles(place: Cursor, { ofRole }: Pick<ScopeCatalogue, 'ofRole'>): void {
  for (const giver of ROLES) {
    const beyond = ROLES.filter((role) => role !== giver && mayGive(giver, role)).flatMap((role) =>
      ofRole[role].filter((scope) => !ofRole[giver].includes(scope)).map((scope) => `${scope} of ${role}`),
    );
    if (beyond.length === 0) continue;
    const text = `lacks ${beyond.join(', ')}, but may give that role: invitations reach further than keys do`;
    place.at('roles').at(giver).report(text, { came: giver, candidates: [] });
  }
}

/** Warns, below `place`, of scopes of the platform's own that open nothing, or that only an operator can give. */
export function warnOfIdleScopes(
  place: Cursor,
  { listed, ofRole }: ScopeCatalogue,
  endpoints: readonly Pick<DeclaredEndpoint, 'scopes' | 'scopesUnder'>[],
): void {
  const required = new Set(
    endpoints.flatMap(({ scopes, scopesUnder = {} }) => [...scopes, ...Object.values(scopesUnder).flat()]),
  );
  const heldBySomeRole = new Set(Object.values(ofRole).flat());
  for (const { name, holders } of listed) {
    if (SHIPPED.has(name)) continue;
    const warn = (text: string) => place.at('scopes').at(name).report(text, { came: name, candidates: [] });
    if (!required.has(name)) warn('no endpoint requires this scope, so the gateway opens nothing for it');
    if (holders.includes('sessions') && !heldBySomeRole.has(name))
      warn('no role holds this scope, so only the operator can give it to keys (tidegate keys create)');
  }
}
