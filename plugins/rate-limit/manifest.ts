/** The rate-limit plugin: how much may this caller ask. */
import { definePlugin } from '../../services/shared/plugin/define-plugin.ts';
import { rateLimitPolicy } from './rate-limit-policy.ts';

export const { version, schema, policies, init } = definePlugin('rate-limit', [rateLimitPolicy]);
