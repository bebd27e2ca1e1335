/** Answers with the OpenAPI document, which the gateway makes from the routes of the services. */
import { z } from 'zod';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { createStaticAnswer, sendStatic } from '../kit/static-answer.ts';

export const openapiPolicy = defineGatewayPolicy({
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
