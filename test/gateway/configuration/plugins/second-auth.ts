/** A plugin that provides a policy which another provides already. */
import { z } from 'zod';
import { definePlugin, definePolicy } from '../../../../plugins/kit/plugin.ts';

export const { version, schema, policies, init } = definePlugin('second-auth', [
  definePolicy({
    name: 'auth',
    schema: z.strictObject({}),
    create: () => (_req, _res, next) => next(),
  }),
]);
