/** The canary plugin: which of several backends answers. */
import { definePlugin } from '../kit/define-plugin.ts';
import { canaryPolicy } from './canary-policy.ts';

export const { version, schema, policies, init } = definePlugin('canary', [canaryPolicy]);
