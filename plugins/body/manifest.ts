/** The body plugin: size and type of what comes in. */
import { definePlugin } from '../kit/define-plugin.ts';
import { bodyPolicy } from './body-policy.ts';

export const { version, schema, policies, init } = definePlugin('body', [bodyPolicy]);
