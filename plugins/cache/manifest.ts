/** The cache plugin: answers that are kept for the next caller with the same rights. */
import { definePlugin } from '../kit/define-plugin.ts';
import { cachePolicy } from './cache-policy.ts';

export const { version, schema, policies, init } = definePlugin('cache', [cachePolicy]);
