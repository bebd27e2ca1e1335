/** The require-header plugin: the example of its guide. */
import { definePlugin } from '../../../../plugins/kit/plugin.ts';
import { requireHeaderPolicy } from './require-header-policy.ts';

export const { version, schema, policies, init } = definePlugin('require-header', [requireHeaderPolicy]);
