/** Every ordered policy with small parameters of its own, so that the messages of the check do not hang on the shipped plugins. */
import { z } from 'zod';
import { definePlugin, definePolicy, type PolicyFunction } from '../../../../plugins/kit/plugin.ts';

const pass = (): PolicyFunction => (_req, _res, next) => next();

function policy(name: string, schema: z.ZodObject = z.strictObject({})) {
  return definePolicy({ name, schema, create: pass });
}

export const { version, schema, policies, init } = definePlugin('kit', [
  policy('auth'),
  policy(
    'body',
    z.strictObject({
      maxBytes: z.number().int().min(0).max(4096).default(512).describe('Largest body, in bytes.'),
      read: z.enum(['whole', 'stream']).default('stream').describe('When it is read.'),
    }),
  ),
  policy('scopes'),
  policy('rate-limit'),
  policy(
    'proxy',
    z.strictObject({
      serviceEndpoint: z.string().describe('Where it goes.'),
      timeoutSeconds: z.number().int().optional().describe('How long it may take.'),
    }),
  ),
  policy('not-found'),
]);
