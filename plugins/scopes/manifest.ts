/** The scopes plugin: may this caller use this route. */
import { definePlugin } from '../../services/shared/plugin/define-plugin.ts';
import { scopesPolicy } from './scopes-policy.ts';

export const { version, schema, policies, init } = definePlugin('scopes', [scopesPolicy]);
