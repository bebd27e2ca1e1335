/** The auth plugin: who calls, and the sessions of browsers. */
import { definePlugin } from '../kit/define-plugin.ts';
import { authPolicy } from './auth-policy.ts';
import { sessionPolicy } from './session-policy.ts';

export const { version, schema, policies, init } = definePlugin('auth', [authPolicy, sessionPolicy]);
