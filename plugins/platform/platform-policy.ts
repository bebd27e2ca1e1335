/** Answers with one view of the whole service; the apiEndpoint says that only operators may ask. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { validationError } from '../../services/shared/errors/zod-details.ts';
import { pathOf, queryOf } from '../../services/shared/http/query-string.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { platformSchemas } from '../kit/platform-schemas.ts';
import type { PlatformQuery, PlatformView } from '../kit/platform-views.ts';
import { sendError, sendJson } from '../kit/reply.ts';
import type { GatewayRequest, GatewayResponse } from '../kit/request-context.ts';
import { storeFault } from '../kit/store-fault.ts';

export const platformPolicy = defineGatewayPolicy({
  name: 'platform',
  schema: z.strictObject({}).describe('No parameters: the last segment of the path names the view.'),
  create(_params, { platform }) {
    async function answer({ url, context }: GatewayRequest): Promise<string> {
      // Whatever the apiEndpoint says: nobody else sees the whole service.
      if (context.principal?.isOperator !== true) throw new ApiError('ACCESS_DENIED');
      const name = pathOf(url).split('/').at(-1);
      if (name === undefined || !Object.hasOwn(platformSchemas, name)) throw new ApiError('NOT_FOUND');
      return JSON.stringify({ success: true, data: await platform[name as PlatformView](onceEach(url)) });
    }

    return function showPlatform(req: GatewayRequest, res: GatewayResponse) {
      answer(req).then(
        (text) => sendJson(req, res, 200, text),
        (fault: unknown) => sendError(req, res, storeFault(fault)),
      );
    };
  },
});

/** @throws ApiError VALIDATION_ERROR for a name that stands there twice */
function onceEach(url: string): PlatformQuery {
  const query: Record<string, string> = {};
  for (const [field, value] of Object.entries(queryOf(url))) {
    if (typeof value !== 'string') throw validationError([{ field, message: 'It may stand there once.' }]);
    query[field] = value;
  }
  return query;
}
