/** The names that both ends of the identity token agree on (contract.md, Identity towards the services). */

/** Header that carries the token from the gateway to a service. */
export const IDENTITY_HEADER = 'x-gateway-identity';
/** Claims of identity that no client may send, in both spellings; `name` in lower case. */
export function isIdentityHeader(name: string): boolean {
  return IDENTITY_NAME.test(name);
}

const IDENTITY_NAME = /^x[-_](?:gateway|consumer)(?:[-_]|$)/;

/** Issuer claim. */
export const IDENTITY_ISSUER = 'tidegate-gateway';
/** Signature algorithm (RFC 8037). */
export const IDENTITY_ALGORITHM = 'EdDSA';
/** Longest life of a token, in seconds. */
export const IDENTITY_LIFETIME_SECONDS = 60;

/** The services, each an audience of its own. */
export const SERVICES = ['query', 'tracking', 'resources'] as const;
export type ServiceName = (typeof SERVICES)[number];
