/** The auth plugin: who calls. */
import { definePlugin } from '../../services/shared/plugin/define-plugin.ts';
import { authPolicy } from './auth-policy.ts';

export const { version, schema, policies, init } = definePlugin('auth', [authPolicy]);
