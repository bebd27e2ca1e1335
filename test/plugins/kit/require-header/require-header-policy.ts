/** Refuses a request that lacks a header which the platform demands. */
import { definePolicy, validationError, z } from '../../../../plugins/kit/plugin.ts';

export const requireHeaderPolicy = definePolicy({
  name: 'require-header',
  schema: z.strictObject({ header: z.string().describe('Header that must be there, in lower case.') }),
  create(params) {
    return function requireHeader(req, _res, next) {
      const missing = req.headers[params.header] === undefined;
      next(
        missing
          ? validationError([{ field: params.header, message: 'This header is required.' }])
          : undefined,
      );
    };
  },
});
