/** The ip plugin: which addresses may use a route. */
import { definePlugin } from '../kit/define-plugin.ts';
import { ipPolicy } from './ip-policy.ts';

export const { version, schema, policies, init } = definePlugin('ip', [ipPolicy]);
