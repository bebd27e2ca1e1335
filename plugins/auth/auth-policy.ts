/**
 * Identifies the caller: an API key alone decides when there is one, else the session cookie; a wrong key never becomes
 * an anonymous call.
 */
import { z } from 'zod';
import { defineGatewayPolicy } from '../kit/gateway-policy.ts';
import { createJudgeByKey, severalKeys } from './judge-by-key.ts';
import { createJudgeBySession } from './judge-by-session.ts';
import { createLetAnybodyIn, createNobody } from './nobody.ts';
import { readApiKey } from './read-api-key.ts';
import { offerPlace } from './session/password-place.ts';

export const authPolicy = defineGatewayPolicy({
  name: 'auth',
  schema: z.strictObject({}).describe('No parameters: the apiEndpoint has the rule.'),
  create(_params, runtime) {
    const nobody = createNobody(runtime.clock);
    const letAnybodyIn = createLetAnybodyIn(runtime, nobody);
    const judgeBySession = createJudgeBySession(runtime, nobody);
    const judgeByKey = createJudgeByKey(runtime);

    return function auth(req, res, next) {
      const { context } = req;
      const { access } = context.endpoint;
      offerPlace(req, res);
      if (access === 'public') {
        letAnybodyIn(req);
        next();
        return;
      }
      const reading = readApiKey(req.rawHeaders);
      if (reading === 'none' && access === 'keyless') {
        context.principal = nobody();
        next();
        return;
      }
      // A request that waited for its body is judged again once the body has arrived.
      context.judge = auth;
      if (reading === 'none') judgeBySession(req, next);
      else if (reading !== 'refused') judgeByKey(context, reading.key, next);
      else {
        context.refuse(severalKeys());
        next();
      }
    };
  },
});
