/** Who calls, as plain headers, for a backend that verifies no token (contract.md, Wire of the second wave). */
import type { GatewayCaller } from '../access/caller.ts';

/** The value of x-gateway-websites for a caller whose access is not limited to websites. */
const EVERY_WEBSITE = '*';

/** By caller, which lives as long as the verdict on its credential. */
const made = new WeakMap<GatewayCaller, readonly string[]>();

/**
 * The headers as name, value, name, value. What the caller does not have (the user of a key, the organization of an
 * anonymous caller) has no header. Lists are separated by commas; every character that a header or a list cannot hold
 * is percent-encoded (RFC 3986, 2.1).
 */
export function callerHeaders(caller: GatewayCaller): readonly string[] {
  const known = made.get(caller);
  if (known !== undefined) return known;
  const { id, kind, organizationId, userId, role, plan, scopes, access } = caller;
  const websites = access.level === 'global' ? EVERY_WEBSITE : list(access.websiteIds);
  const headers = Object.entries({
    'x-gateway-caller': encoded(id),
    'x-gateway-kind': kind,
    'x-gateway-organization': organizationId === null ? null : encoded(organizationId),
    'x-gateway-issuer': kind === 'jwt' ? encoded(caller.issuer) : null,
    'x-gateway-subject': kind === 'jwt' ? encoded(caller.subject) : null,
    'x-gateway-user': userId === null ? null : encoded(userId),
    'x-gateway-roles': role,
    'x-gateway-plan': plan === null ? null : encoded(plan),
    'x-gateway-scopes': list(scopes),
    'x-gateway-websites': websites,
  }).flatMap(([name, value]) => (value === null ? [] : [name, value]));
  made.set(caller, headers);
  return headers;
}

function list(items: readonly string[]): string {
  return items.map(encoded).join(',');
}

/** Visible ASCII stays, but for what separates and encodes, and the star, which means every website. */
function encoded(text: string): string {
  return Array.from(text, (character) =>
    /[!-~]/.test(character) && !',%*'.includes(character) ? character : encodedCharacter(character),
  ).join('');
}

function encodedCharacter(character: string): string {
  return Array.from(
    Buffer.from(character),
    (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  ).join('');
}
