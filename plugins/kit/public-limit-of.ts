/**
 * How a refusal after the rate-limit decision learns the public limit: the rate-limit policy offers it, and the proxy
 * asks.
 */
import type { GatewayRequest } from './request-context.ts';
import type { GatewayRuntime } from './runtime.ts';

/** The number of the limit `public` that this request counts in; null where it counts in none. */
export type PublicLimitOf = (req: GatewayRequest) => Promise<number | null>;

const KEY = 'rate-limit: the public limit of a request';

/** Answers {@link publicLimitOf} from now on, in this gateway. */
export function offerPublicLimitOf(runtime: GatewayRuntime, limitOf: PublicLimitOf): void {
  runtime.policyInstances.set(KEY, limitOf);
}

/** The rate-limit policy's answer; null where there is none. */
export const publicLimitOf: PublicLimitOf = async (req) => {
  const limitOf = req.context.gateway.policyInstances.get(KEY) as PublicLimitOf | undefined;
  return limitOf === undefined ? null : limitOf(req);
};
