/** What a service learns of who calls: the signed identity of its own, plain headers, or nothing. */
import type { Principal } from '../../services/shared/access/principal.ts';
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';

/** The signed identity for a request; null: the service gets none. A promise only when one must be signed. */
export type TokenOf = (principal: Principal, context: RequestContext) => string | null | Promise<string>;

/** One of ours judges the caller by what the endpoint grants. */
export function createTokenOf({ audience, identity }: ServiceEndpoint, runtime: GatewayRuntime): TokenOf {
  if (audience !== null) {
    return (principal, { endpoint }) => runtime.identityToken(principal, audience, endpoint);
  }
  if (identity === null || identity === 'headers') return () => null;
  const { audience: name, perRequest } = identity;
  return (principal) => runtime.backendToken(principal, name, perRequest);
}
