/** A plugin that claims to come from a copy of Tidegate that is no file. */
import { definePlugin } from '../../../../plugins/kit/plugin.ts';

export const { version, schema, policies, init } = definePlugin('extra', []);
Object.assign(init, { [Symbol.for('tidegate.copy')]: 'https://tidegate.example/define-plugin.js' });
