/** The request-schema plugin: which JSON a route takes. */
import { definePlugin } from '../kit/define-plugin.ts';
import { requestSchemaPolicy } from './request-schema-policy.ts';

export const { version, schema, policies, init } = definePlugin('request-schema', [requestSchemaPolicy]);
