/** The redirect plugin: sends whoever asks for one address to another. */
import { definePlugin } from '../kit/define-plugin.ts';
import { redirectPolicy } from './redirect-policy.ts';

export const { version, schema, policies, init } = definePlugin('redirect', [redirectPolicy]);
