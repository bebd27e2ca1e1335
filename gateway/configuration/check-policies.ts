/** Checks the list of policies in use: a loaded plugin provides each, and a pipeline uses each. */
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';
import type { LoadedPlugins, OfferedCondition, OfferedPolicy } from './loaded-plugins.ts';

/** Express-gateway's own policies; Tidegate supports none of them (slow, unsafe, or bound to its stores). */
export const EXPRESS_GATEWAY_POLICIES = [
  'basic-auth',
  'cors',
  'expression',
  'headers',
  'jwt',
  'key-auth',
  'log',
  'oauth2',
  'oauth2-introspect',
  'proxy',
  'rate-limit',
  'request-transformer',
  'response-transformer',
  'terminate',
];

/** What pipelines may use. */
export interface DeclaredPolicies {
  /** Declared names, valid or not. */
  readonly names: readonly string[];
  /** Those that a plugin provides. */
  readonly offered: ReadonlyMap<string, OfferedPolicy>;
  /** The conditions of third parties, by name. */
  readonly conditions: ReadonlyMap<string, OfferedCondition>;
}

export function checkPolicies(cursor: Cursor, { plugins, complete }: LoadedPlugins): DeclaredPolicies {
  const offered = new Map(
    plugins.flatMap((plugin) => plugin.policies.map((policy) => [policy.name, policy])),
  );
  const provided = [...offered.values()].flatMap(({ name, isAlias }) => (isAlias ? [] : [name]));
  const conditions = new Map(plugins.flatMap((plugin) => [...plugin.conditions]));
  const names: string[] = [];
  for (const item of cursor.list('a list of policies') ?? []) {
    const name = item.value;
    if (typeof name !== 'string') {
      item.report(`${shown(name)} is not a policy`, { allowed: provided });
      continue;
    }
    if (names.includes(name)) item.report(`"${name}" appears twice in this list`, { candidates: [] });
    else names.push(name);
    if (offered.has(name)) continue;
    if (EXPRESS_GATEWAY_POLICIES.includes(name) && !(name === 'proxy' || name === 'rate-limit')) {
      const text = `the policy "${name}" of express-gateway is not supported, and no plugin provides one of that name`;
      item.report(text, { allowed: provided, candidates: [] });
    } else if (complete) item.report(`no plugin provides the policy "${name}"`, { allowed: provided });
  }
  return { names, offered, conditions };
}

/** Reports each declared policy that a plugin provides and no pipeline uses. */
export function reportUnusedPolicies(
  cursor: Cursor,
  { offered }: DeclaredPolicies,
  used: ReadonlySet<string>,
): void {
  if (!Array.isArray(cursor.value)) return;
  cursor.value.forEach((name: unknown, index) => {
    if (typeof name !== 'string' || used.has(name) || !offered.has(name)) return;
    cursor.at(index).report(`no pipeline uses "${name}"; remove it`, { candidates: [] });
  });
}
