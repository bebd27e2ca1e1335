/** Checks the list of policies in use: each is provided by a loaded plugin, and none is declared for nothing. */
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';
import type { LoadedPlugins, OfferedPolicy } from './plugin-manifests.ts';

/** Express-gateway's own policies; Tidegate takes none of them (slow, or unsafe, or bound to its stores). */
const BUILT_IN = [
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
  /** Declared names, right or wrong. */
  readonly names: readonly string[];
  /** Those that a plugin provides. */
  readonly offered: ReadonlyMap<string, OfferedPolicy>;
}

export function checkPolicies(cursor: Cursor, { plugins, complete }: LoadedPlugins): DeclaredPolicies {
  const offered = new Map(
    plugins.flatMap((plugin) => plugin.policies.map((policy) => [policy.name, policy])),
  );
  const provided = [...offered.keys()];
  const names: string[] = [];
  for (const item of cursor.list('a list of policies') ?? []) {
    const name = item.value;
    if (typeof name !== 'string') {
      item.report(`${shown(name)} is no policy`, { allowed: provided });
      continue;
    }
    if (names.includes(name)) item.report(`"${name}" stands twice in this list`, { candidates: [] });
    else names.push(name);
    if (offered.has(name)) continue;
    if (BUILT_IN.includes(name) && !(name === 'proxy' || name === 'rate-limit')) {
      const text = `the policy "${name}" of express-gateway is not offered, and no plugin provides one of that name`;
      item.report(text, { allowed: provided, candidates: [] });
    } else if (complete) item.report(`no plugin provides the policy "${name}"`, { allowed: provided });
  }
  return { names, offered };
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
    cursor.at(index).report(`"${name}" is used by no pipeline; remove it`, { candidates: [] });
  });
}
