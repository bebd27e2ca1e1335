/** Checks what a backend of the platform's own learns of the caller, and which headers of a client it may see. */
import { z } from 'zod';
import { CLAIMING_HEADERS } from '../../services/shared/identity/claiming-headers.ts';
import { SERVICES, type ServiceName } from '../../services/shared/identity/identity-token.ts';
import {
  type BackendIdentity,
  headerNameSchema,
  type ServiceEndpoint,
  tokenIdentitySchema,
} from '../../services/shared/plans/service-endpoint.ts';
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';
import { parseAt } from './schema-faults.ts';

/** The identity of a backend that verifies no token. */
const PLAIN_HEADERS = 'headers';
/** Most names in dropHeaders and passHeaders. */
const MOST_HEADERS = 200;

/** What a foreign backend learns of the caller. */
export function checkIdentity(cursor: Cursor, audience: ServiceName | null): BackendIdentity | null {
  if (audience !== null) {
    cursor.report(`cannot be combined with audience: the ${audience} service always gets its own token`, {
      came: shown(cursor.value),
      candidates: [],
    });
    return null;
  }
  if (cursor.value === PLAIN_HEADERS) return PLAIN_HEADERS;
  if (typeof cursor.value !== 'object' || cursor.value === null || Array.isArray(cursor.value)) {
    cursor.report(`${shown(cursor.value)} is not an identity`, {
      allowed: ['{ audience: NAME } (a signed token)', `${PLAIN_HEADERS} (plain text)`],
      candidates: [PLAIN_HEADERS],
    });
    return null;
  }
  const identity = parseAt(cursor, tokenIdentitySchema);
  if (identity === undefined) return null;
  const taken = SERVICES.find((service) => service === identity.audience.toLowerCase());
  if (taken === undefined) return identity;
  cursor.at('audience').report(`would hand out tokens that the ${taken} service accepts`, {
    came: identity.audience,
    allowed: [`any name but ${SERVICES.join(', ')}`],
    candidates: [],
  });
  return null;
}

/** A token of one backend opens no other: only entries for the same addresses share an audience. */
export function reportSharedAudiences(cursor: Cursor, found: ReadonlyMap<string, ServiceEndpoint>): void {
  const owners = new Map<string, { readonly name: string; readonly addresses: string }>();
  for (const [name, { identity, urls }] of found) {
    if (identity === null || identity === PLAIN_HEADERS) continue;
    const addresses = [...urls].sort().join(' ');
    const owner = owners.get(identity.audience);
    if (owner === undefined) owners.set(identity.audience, { name, addresses });
    else if (owner.addresses !== addresses) {
      cursor
        .at(name)
        .at('identity')
        .at('audience')
        .report(`is also the audience of ${owner.name}, another backend, which would accept its tokens`, {
          came: identity.audience,
          allowed: ['a name that no other backend has'],
          candidates: [],
        });
    }
  }
}

/** The headers that stay here: the ones known to claim something, those named besides, without those let through. */
export function checkDroppedHeaders(place: Cursor, audience: ServiceName | null): readonly string[] {
  const drop = place.at('dropHeaders');
  const pass = place.at('passHeaders');
  if (audience !== null) {
    for (const at of [drop, pass]) {
      if (at.value === undefined) continue;
      at.report(`is for foreign backends: the ${audience} service reads the signed identity alone`, {
        candidates: [],
      });
    }
    return [];
  }
  const dropped = optional(drop, [], namesAt);
  const passed = optional(pass, [], namesAt);
  for (const name of passed) {
    if (CLAIMING_HEADERS.includes(name)) continue;
    pass.report(`${name} is not dropped by default`, { came: name, candidates: CLAIMING_HEADERS });
  }
  for (const name of dropped.filter((each) => passed.includes(each))) {
    pass.report(`${name} is in dropHeaders too`, { came: name, candidates: [] });
  }
  return [...new Set([...CLAIMING_HEADERS.filter((name) => !passed.includes(name)), ...dropped])];
}

function namesAt(cursor: Cursor): readonly string[] {
  return parseAt(cursor, z.array(headerNameSchema).max(MOST_HEADERS)) ?? [];
}

function optional<T>(cursor: Cursor, absent: T, check: (cursor: Cursor) => T): T {
  return cursor.value === undefined ? absent : check(cursor);
}
