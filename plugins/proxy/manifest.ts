/** The proxy plugin: to the service behind a route. */
import { definePlugin } from '../../services/shared/plugin/define-plugin.ts';
import { proxyPolicy } from './proxy-policy.ts';

export const { version, schema, policies, init } = definePlugin('proxy', [proxyPolicy]);
