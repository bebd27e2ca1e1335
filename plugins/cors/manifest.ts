/** The cors plugin: which web pages may read an answer. */
import { definePlugin } from '../kit/define-plugin.ts';
import { corsPolicy } from './cors-policy.ts';

export const { version, schema, policies, init } = definePlugin('cors', [corsPolicy]);
