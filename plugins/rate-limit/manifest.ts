/** The rate-limit plugin: how much a caller may ask. */
import { definePlugin } from '../kit/define-plugin.ts';
import { rateLimitPolicy } from './rate-limit-policy.ts';

export const { version, schema, policies, init } = definePlugin('rate-limit', [rateLimitPolicy]);
