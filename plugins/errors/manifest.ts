/** The errors plugin: the answer to what no endpoint serves. */
import { definePlugin } from '../kit/define-plugin.ts';
import { notFoundPolicy } from './not-found-policy.ts';

export const { version, schema, policies, init } = definePlugin('errors', [notFoundPolicy]);
