/** The respond plugin: fixed answers, and maintenance. */
import { definePlugin } from '../kit/define-plugin.ts';
import { respondPolicy } from './respond-policy.ts';

export const { version, schema, policies, init } = definePlugin('respond', [respondPolicy]);
