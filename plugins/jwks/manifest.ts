/** The jwks plugin: the keys by which services believe the gateway. */
import { definePlugin } from '../../services/shared/plugin/define-plugin.ts';
import { jwksPolicy } from './jwks-policy.ts';

export const { version, schema, policies, init } = definePlugin('jwks', [jwksPolicy]);
