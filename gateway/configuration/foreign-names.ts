/** How pipelines name what plugins of third parties register: `PLUGIN/POLICY`, and the bare name where it can mean nothing else. */
import type { Cursor } from './cursor.ts';
import type { LoadedPlugin } from './loaded-plugins.ts';
import { orderOf } from './policy-order.ts';

/** Conditions of express-gateway itself, used here or not. */
const OWN_CONDITIONS = [
  ...['always', 'never', 'allOf', 'oneOf', 'not', 'pathExact', 'pathMatch', 'method', 'json-schema'],
  ...['expression', 'hostMatch', 'authenticated', 'anonymous', 'tlsClientAuthenticated', 'base'],
];

/** The name of a foreign policy that no other plugin can take. */
export function qualifiedName(plugin: string, policy: string): string {
  return `${plugin}/${policy}`;
}

/** The plugin with the names under which its foreign policies are offered; lists show one for each. */
export function withForeignNames(plugin: LoadedPlugin, all: readonly LoadedPlugin[]): LoadedPlugin {
  const policies = plugin.policies.flatMap((policy) => {
    if (!policy.isForeign) return [policy];
    const qualified = { ...policy, name: qualifiedName(plugin.name, policy.name) };
    return isFree(policy.name, all) ? [policy, { ...qualified, isAlias: true }] : [qualified];
  });
  return { ...plugin, policies };
}

/** Whether the bare name means one foreign policy, and none of ours. */
function isFree(name: string, all: readonly LoadedPlugin[]): boolean {
  if (orderOf(name) !== undefined) return false;
  return all.flatMap(({ policies }) => policies).filter((policy) => policy.name === name).length === 1;
}

/** Conditions have no other name than their own: each is registered once. */
export function reportTwiceRegistered(cursor: Cursor, plugins: readonly LoadedPlugin[]): void {
  const providers = new Map(OWN_CONDITIONS.map((name) => [name, 'express-gateway']));
  for (const { name: plugin, conditions } of plugins) {
    for (const name of conditions.keys()) {
      const other = providers.get(name);
      providers.set(name, plugin);
      if (other === undefined) continue;
      const text = `registers the condition "${name}", which "${other}" already has`;
      cursor.at(plugin).report(text, { came: name, candidates: [] });
    }
  }
}
