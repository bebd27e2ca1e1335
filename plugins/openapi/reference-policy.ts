/** Answers with the reference page at `/docs` and with what it is made of below. */
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { sendStatic } from '../kit/static-answer.ts';
import { REFERENCE_PATH } from './reference/page.ts';
import { readReference } from './reference/reference.ts';

export const referencePolicy = defineGatewayPolicy({
  name: 'reference',
  schema: z.strictObject({}).describe('No parameters.'),
  create() {
    const { page, assets } = readReference();
    return function reference(req, res) {
      const path = req.url.split('?', 1)[0] ?? '';
      const answer = path === REFERENCE_PATH ? page : assets.get(path);
      if (answer === undefined) throw new ApiError('NOT_FOUND');
      return sendStatic(req, res, answer);
    };
  },
});
