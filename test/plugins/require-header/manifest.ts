/** The require-header plugin: the example of the README. */
import { definePlugin } from '../../../services/shared/plugin/define-plugin.ts';
import { requireHeaderPolicy } from './require-header-policy.ts';

export const { version, schema, policies, init } = definePlugin('require-header', [requireHeaderPolicy]);
