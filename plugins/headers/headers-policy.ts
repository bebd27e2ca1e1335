/** Changes headers on their way to a backend and back, because a backend wants to be told things in its own words. */
import { z } from 'zod';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { withEdit } from '../kit/header-edits.ts';
import { compileRules, rulesSchema, tellRules } from './header-rules.ts';

const headersParams = z
  .strictObject({
    request: rulesSchema('request').optional().describe('Changes to what the backend gets.'),
    response: rulesSchema('response').optional().describe("Changes to the backend's answer."),
  })
  .refine(({ request, response }) => request !== undefined || response !== undefined, {
    message: 'needs request or response',
  });

export const headersPolicy = defineGatewayPolicy({
  name: 'headers',
  schema: headersParams,
  unconditional: true,
  check(_params, { service }) {
    return service === null ? [{ path: [], text: 'has no effect: no proxy answers in this pipeline' }] : [];
  },
  explain({ request, response }) {
    const ways = [
      request && `to the backend: ${tellRules(request)}`,
      response && `to the client: ${tellRules(response)}`,
    ];
    return ways.filter((way) => way !== undefined).join('; ');
  },
  create({ request, response }) {
    const toBackend = request && [compileRules(request)];
    const toClient = response && [compileRules(response)];
    return function headers({ context }, _res, next) {
      if (toBackend) context.requestEdits = withEdit(context.requestEdits, toBackend);
      if (toClient) context.answerEdits = withEdit(context.answerEdits, toClient);
      next();
    };
  },
});
