/** The openapi plugin: the description of the whole API. */
import { definePlugin } from '../../services/shared/plugin/define-plugin.ts';
import { openapiPolicy } from './openapi-policy.ts';

export const { version, schema, policies, init } = definePlugin('openapi', [openapiPolicy]);
