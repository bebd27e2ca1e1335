/** The pages plugin: serves the built pages of a console, such as the dashboard, beside the API that they call. */
import { definePlugin } from '../kit/define-plugin.ts';
import { pagesPolicy } from './pages-policy.ts';

export const { version, schema, policies, init } = definePlugin('pages', [pagesPolicy]);
