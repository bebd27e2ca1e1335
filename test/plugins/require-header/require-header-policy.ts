/** Refuses a request that lacks a header which the platform demands. */
import { z } from 'zod';
import { validationError } from '../../../services/shared/errors/zod-details.ts';
import { definePolicy } from '../../../services/shared/plugin/define-plugin.ts';

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
