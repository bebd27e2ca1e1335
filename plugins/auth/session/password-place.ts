/** Where the passwords of a request wait: a place that it takes before it is counted, so that what is shed counts nowhere. */
import type { PasswordPlace } from '../../../services/shared/credentials/password-hasher.ts';
import { addressSubject } from '../../../services/shared/plans/public-limit.ts';
import type { GatewayRequest, GatewayResponse, RequestContext } from '../../kit/request-context.ts';
import { authRouteOf } from './routes.ts';

/** A place in the line of the address, not taken yet. */
export function placeOf({ gateway, address }: RequestContext): PasswordPlace {
  return gateway.passwords.place(addressSubject(address));
}

/** Puts a place on the context of a request that checks passwords; the rate-limit policy takes it. */
export function offerPlace(req: GatewayRequest, res: GatewayResponse): void {
  const { context } = req;
  if (context.passwordPlace !== null || authRouteOf(req)?.route.checksPasswords !== true) return;
  const place = placeOf(context);
  context.passwordPlace = place;
  // Whoever answers it, and though its client left before the session policy had it.
  res.once('close', () => place.giveBack());
}
