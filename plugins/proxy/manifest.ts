/** The proxy plugin: forwards requests to the service behind a route. */
import { definePlugin } from '../kit/define-plugin.ts';
import { proxyPolicy } from './proxy-policy.ts';

export const { version, schema, policies, init } = definePlugin('proxy', [proxyPolicy]);
