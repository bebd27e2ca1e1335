/** A plugin whose claim to a copy of Tidegate is not text. */
import { definePlugin } from '../../../../plugins/kit/plugin.ts';

export const { version, schema, policies, init } = definePlugin('extra', []);
Object.assign(init, { [Symbol.for('tidegate.copy')]: true });
