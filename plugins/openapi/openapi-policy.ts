/** Answers with the OpenAPI document, which the gateway makes from the routes of the services. */
import { z } from 'zod';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { createStaticAnswer, type StaticAnswer, sendStatic } from '../kit/static-answer.ts';

export const openapiPolicy = defineGatewayPolicy({
  name: 'openapi',
  schema: z.strictObject({}).describe('No parameters.'),
  create(_params, runtime) {
    let made: StaticAnswer | null = null;
    /** Few gateways are ever asked; making it takes longer than thousands of requests. */
    function answer(): StaticAnswer {
      made ??= createStaticAnswer(Buffer.from(runtime.openApiText()), {
        mediaType: 'application/json; charset=utf-8',
        cacheControl: 'no-cache',
      });
      return made;
    }
    return function openapi(req, res) {
      return sendStatic(req, res, answer());
    };
  },
});
