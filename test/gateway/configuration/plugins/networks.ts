/** A plugin of the platform's own whose parameters have a format that zod knows and express-gateway's Ajv does not. */
import { z } from 'zod';
import { definePlugin, definePolicy } from '../../../../plugins/kit/plugin.ts';

export const { version, schema, policies, init } = definePlugin('networks', [
  definePolicy({
    name: 'networks',
    schema: z.strictObject({ allowed: z.cidrv4().describe('Network whose callers pass.') }),
    create: () => (_req, _res, next) => next(),
  }),
]);
