/** A plugin made with another copy of Tidegate. */
import { definePlugin } from '../../../../plugins/kit/plugin.ts';

export const { version, schema, policies, init } = definePlugin('extra', []);
Object.assign(init, { [Symbol.for('tidegate.copy')]: 'file:///opt/other/plugins/kit/define-plugin.js' });
