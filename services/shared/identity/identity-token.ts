/** The names that both ends of the identity token share (contract.md, Identity towards the services). */

/** Header that carries the token from the gateway to a service. */
export const IDENTITY_HEADER = 'x-gateway-identity';
/** Identity claims that no client may send, in both spellings; `name` in lower case. */
export function isIdentityHeader(name: string): boolean {
  return IDENTITY_NAME.test(name);
}

const IDENTITY_NAME = /^x[-_](?:gateway|consumer)(?:[-_]|$)/;

/** Issuer claim. */
export const IDENTITY_ISSUER = 'tidegate-gateway';
/** Signature algorithm (RFC 8037). */
export const IDENTITY_ALGORITHM = 'EdDSA';
/** How far the clocks of a gateway and a service may differ, in seconds (the leeway of RFC 7519, section 4.1.4). */
export const CLOCK_LEEWAY_SECONDS = 5;
/**
 * Life of a token by the gateway's clock, in seconds: with the leeway, no service accepts it for more than 60
 * (contract.md section 3).
 */
export const IDENTITY_LIFETIME_SECONDS = 60 - CLOCK_LEEWAY_SECONDS;

/** The services; each is an audience. */
export const SERVICES = ['query', 'tracking', 'resources'] as const;
export type ServiceName = (typeof SERVICES)[number];
