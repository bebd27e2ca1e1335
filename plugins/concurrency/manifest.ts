/** The concurrency plugin: how many requests of one caller may be under way. */
import { definePlugin } from '../kit/define-plugin.ts';
import { concurrencyPolicy } from './concurrency-policy.ts';

export const { version, schema, policies, init } = definePlugin('concurrency', [concurrencyPolicy]);
