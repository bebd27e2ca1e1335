/** The scopes plugin: whether a caller may use a route. */
import { definePlugin } from '../kit/define-plugin.ts';
import { scopesPolicy } from './scopes-policy.ts';

export const { version, schema, policies, init } = definePlugin('scopes', [scopesPolicy]);
