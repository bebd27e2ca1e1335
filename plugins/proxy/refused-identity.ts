/** Whether a service of the platform refuses the gateway itself, in place of the client. */
import { IDENTITY_HEADER } from '../../services/shared/identity/identity-token.ts';
import type { GatewayRequest } from '../kit/request-context.ts';

/** Statuses of an own service that no client can fix: it does not accept the identity token, or cannot read one so long. */
const REFUSES_IDENTITY = 401;
const REFUSES_LENGTH = 431;

/**
 * The client's credential and headers were judged here, so an own service that refuses them refuses the gateway.
 * It marks that with the identity header; without it, its 401 may be meant for the client.
 */
export function refusesGateway(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  req: GatewayRequest,
): boolean {
  if (status === REFUSES_LENGTH) return true;
  return status === REFUSES_IDENTITY && (headers[IDENTITY_HEADER] !== undefined || !isJudgedByService(req));
}

/** The hint for operators: most often the processes were configured differently. */
export function identityRefusal(status: number, origin: string | null): Error {
  const reason =
    status === REFUSES_LENGTH
      ? 'it is too long for it'
      : 'it may be another service than the setting says, have other keys (SECRETS_FILE, IDENTITY_JWKS_URL), or another time';
  return new Error(`the service at ${origin} answered ${status} to the identity of the gateway: ${reason}`);
}

/**
 * The gateway admitted an anonymous caller, as `keyless`, `optional` and `public` do: the service decides whether that is
 * enough, and answers 401 when it is not.
 */
function isJudgedByService({ context }: GatewayRequest): boolean {
  return context.principal?.caller.kind === 'public';
}
