/** Answers with the OpenAPI document, which the gateway makes from the routes of the services. */
import { z } from 'zod';
import { definePolicy } from '../../services/shared/plugin/define-plugin.ts';
import { createStaticAnswer, sendStatic } from './static-answer.ts';

export const openapiPolicy = definePolicy({
  name: 'openapi',
  schema: z.strictObject({}).describe('No parameters.'),
  create(_params, runtime) {
    const answer = createStaticAnswer(Buffer.from(runtime.openApiText), {
      mediaType: 'application/json; charset=utf-8',
      cacheControl: 'no-cache',
    });
    return function openapi(req, res) {
      return sendStatic(req, res, answer);
    };
  },
});
