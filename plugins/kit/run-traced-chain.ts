/** Lets each policy that a sampled request passes be a span within that of the request. */
import type { GatewayRequest, PolicyHandler } from './request-context.ts';

const NAMES = new WeakMap<PolicyHandler, string>();

/** Says what the span of a handler is called. */
export function nameHandler(handler: PolicyHandler, policy: string): void {
  NAMES.set(handler, policy);
}

/** The handlers under the span of the request; that of the policy which answers ends with the response. */
export function tracedHandlers(
  handlers: readonly PolicyHandler[],
  { context }: GatewayRequest,
): readonly PolicyHandler[] {
  const { span } = context;
  if (span === null) return handlers;
  return handlers.map((handler) => (req, res, next) => {
    const own = span.child(`policy ${NAMES.get(handler) ?? 'unnamed'}`);
    context.policySpan = own;
    return handler(req, res, (error) => {
      own.end();
      next(error);
    });
  });
}
