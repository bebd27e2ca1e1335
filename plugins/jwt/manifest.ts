/** The jwt plugin: callers with a token of an identity provider, before backends of the platform's own. */
import { definePlugin } from '../kit/define-plugin.ts';
import { jwtPolicy } from './jwt-policy.ts';

export const { version, schema, policies, init } = definePlugin('jwt', [jwtPolicy]);
