/** The rate-limit plugin: how much a caller may ask, and what is left of it. */
import { definePlugin } from '../kit/define-plugin.ts';
import { rateLimitPolicy } from './rate-limit-policy.ts';
import { usageLimitsPolicy } from './usage-limits-policy.ts';

export const { version, schema, policies, init } = definePlugin('rate-limit', [
  rateLimitPolicy,
  usageLimitsPolicy,
]);
