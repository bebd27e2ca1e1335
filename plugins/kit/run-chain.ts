/** Takes a request through the policies of its pipeline, both in the gateway and in tests of policies. */
import type { ServerResponse } from 'node:http';
import { ApiError, toApiError } from '../../services/shared/errors/api-error.ts';
import { sendError } from './reply.ts';
import type { GatewayRequest, PolicyHandler } from './request-context.ts';
import { tracedHandlers } from './run-traced-chain.ts';

/** What is thrown or rejected becomes the error answer; the end of the chain becomes 404. */
export function runChain(
  chain: { readonly handlers: readonly PolicyHandler[] },
  req: GatewayRequest,
  res: ServerResponse,
): void {
  const handlers = req.context.span === null ? chain.handlers : tracedHandlers(chain.handlers, req);
  let index = 0;
  function next(error?: unknown): void {
    if (error !== undefined && error !== null) {
      const fault = toApiError(error);
      if (!req.context.takesAsRefusal(fault)) {
        sendError(req, res, fault);
        return;
      }
    }
    const handler = handlers[index++];
    if (handler === undefined) {
      sendError(req, res, new ApiError('NOT_FOUND'));
      return;
    }
    try {
      const promise = handler(req, res, next);
      if (promise !== undefined) promise.catch(next);
    } catch (thrown) {
      next(thrown ?? new Error('a policy threw nothing'));
    }
  }
  next();
}
