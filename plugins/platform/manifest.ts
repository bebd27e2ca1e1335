/** The platform plugin: shows operators what the gateway decides. */
import { definePlugin } from '../kit/define-plugin.ts';
import { platformPolicy } from './platform-policy.ts';

export const { version, schema, policies, init } = definePlugin('platform', [platformPolicy]);
