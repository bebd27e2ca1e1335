/** The openapi plugin: the description of the whole API, for machines and for people. */
import { definePlugin } from '../kit/define-plugin.ts';
import { openapiPolicy } from './openapi-policy.ts';
import { referencePolicy } from './reference-policy.ts';

export const { version, schema, policies, init } = definePlugin('openapi', [openapiPolicy, referencePolicy]);
