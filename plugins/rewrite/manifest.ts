/** The rewrite plugin: which path a backend gets. */
import { definePlugin } from '../kit/define-plugin.ts';
import { rewritePolicy } from './rewrite-policy.ts';

export const { version, schema, policies, init } = definePlugin('rewrite', [rewritePolicy]);
