/** Answers what no endpoint serves: 404, or 405 with Allow when the path exists. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';

export const notFoundPolicy = defineGatewayPolicy({
  name: 'not-found',
  schema: z.strictObject({}).describe('No parameters.'),
  create() {
    return function notFound(req, _res, next) {
      const { allow } = req.context.endpoint;
      if (allow === null) next(new ApiError('NOT_FOUND'));
      else next(methodNotAllowed(req.method, allow));
    };
  },
});

function methodNotAllowed(method: string, allow: readonly string[]): ApiError {
  const methods = allow.join(', ');
  return new ApiError('METHOD_NOT_ALLOWED', {
    text: `This path does not answer ${method}; it answers ${methods}.`,
    headers: { Allow: methods },
  });
}
