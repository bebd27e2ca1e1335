/** The module by which express-gateway loads a plugin of a third party: it gives its policies the names of the configuration. */
import type { PluginEntry } from '../../configuration/configuration.ts';

/**
 * A policy is registered as `PLUGIN/POLICY`, and under its bare name where the configuration offers that: so none replaces a
 * policy of ours. It runs without the credentials of the client, so that none reaches a backend. A schema that is missing allows everything, which express-gateway would log.
 */
export function foreignShim({ name, package: file, policies }: PluginEntry): string {
  const [plugin, path, offered] = [name, file, policies].map((value) => JSON.stringify(value));
  return `const loaded = require(${path});
const plugin = typeof loaded.init === 'function' ? loaded : loaded.default;
const offered = new Set(${offered});
const schemaOf = (kind, name, schema) =>
  schema ?? { $id: \`https://tidegate.dev/schemas/foreign/\${kind}/\${encodeURIComponent(name)}.json\`, type: 'object' };
const withoutCredentials = (policy) => (...parameters) => {
  const handle = policy.policy(...parameters);
  return handle.direct ? handle : (req, res, next) => handle(req, res, req.context.hideCredentials(next));
};
function registerPolicy(context, policy) {
  const qualified = ${plugin} + '/' + policy.name;
  for (const name of offered.has(policy.name) ? [qualified, policy.name] : [qualified]) {
    const schema = schemaOf('policies', qualified, policy.schema);
    context.registerPolicy({ ...policy, name, schema, policy: withoutCredentials(policy) });
  }
}
function registerCondition(context, condition) {
  context.registerCondition({ ...condition, schema: schemaOf('conditions', condition.name, condition.schema) });
}
module.exports = {
  ...plugin,
  schema: schemaOf('plugins', ${plugin}, plugin.schema),
  init(context) {
    const own = Object.create(context, {
      registerPolicy: { value: (policy) => registerPolicy(context, policy) },
      registerCondition: { value: (condition) => registerCondition(context, condition) },
    });
    return plugin.init(own);
  },
};
`;
}
