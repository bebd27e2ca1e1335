/** The auth plugin: who calls, and the sessions by which browsers do. */
import { definePlugin } from '../../services/shared/plugin/define-plugin.ts';
import { authPolicy } from './auth-policy.ts';
import { sessionPolicy } from './session-policy.ts';

export const { version, schema, policies, init } = definePlugin('auth', [authPolicy, sessionPolicy]);
