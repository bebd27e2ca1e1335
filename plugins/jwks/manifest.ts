/** The jwks plugin: the keys by which services trust the gateway. */
import { definePlugin } from '../kit/define-plugin.ts';
import { jwksPolicy } from './jwks-policy.ts';

export const { version, schema, policies, init } = definePlugin('jwks', [jwksPolicy]);
