/** The headers plugin: which headers a backend gets, and which a client. */
import { definePlugin } from '../kit/define-plugin.ts';
import { headersPolicy } from './headers-policy.ts';

export const { version, schema, policies, init } = definePlugin('headers', [headersPolicy]);
