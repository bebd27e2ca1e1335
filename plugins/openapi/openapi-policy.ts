/** Answers with the OpenAPI document, which the gateway makes from the routes of the services. */
import { z } from 'zod';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';
import { sendJson } from '../../services/shared/plugin/reply.ts';

export const openapiPolicy = definePolicy({
  name: 'openapi',
  schema: z.strictObject({}).describe('No parameters.'),
  create(_params, runtime) {
    return function openapi(req, res) {
      sendJson(req, res, 200, runtime.openApiText);
    };
  },
});
