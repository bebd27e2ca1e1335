/** Parameters of policies as anybody who runs the service may see them: numbers, and words that the configuration or the policy itself knows; no text that may be a secret. */
import { z } from 'zod';
import type { LoadedPlugins } from './loaded-plugins.ts';

/** Stands in place of a text that is not shown. */
const HIDDEN = '…';

/** What was found in schemas, which never change. */
const FOUND = new WeakMap<object, ReadonlySet<string>>();
const NO_WORDS: ReadonlySet<string> = new Set();

/** The words that each policy knows, by its name: those that its parameters are chosen from. */
export function policyWords({ plugins }: LoadedPlugins): ReadonlyMap<string, ReadonlySet<string>> {
  const policies = plugins.flatMap((plugin) => plugin.policies);
  return new Map(policies.map(({ name, schema }) => [name, wordsOf(schema)]));
}

function wordsOf(schema: object | null): ReadonlySet<string> {
  // A policy of express-gateway: it knows no words.
  if (schema === null) return NO_WORDS;
  const words = FOUND.get(schema) ?? wordsIn(jsonSchemaOf(schema));
  FOUND.set(schema, words);
  return words;
}

/** `known`: the names of the configuration. */
export function shownSettings(
  parameters: Readonly<Record<string, unknown>>,
  words: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Record<string, unknown> {
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return words.has(value) || known.has(value) ? value : HIDDEN;
    if (Array.isArray(value)) return value.map(shown);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, shown(inside)]));
  };
  return shown(parameters) as Record<string, unknown>;
}

function jsonSchemaOf(schema: unknown): unknown {
  try {
    return z.toJSONSchema(schema as z.ZodType, { io: 'input', unrepresentable: 'any' });
  } catch {
    // A policy of express-gateway: it knows no words.
    return null;
  }
}

/** Every text that a schema allows by itself. */
function wordsIn(schema: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(schema)) for (const each of schema) wordsIn(each, found);
  else if (typeof schema === 'object' && schema !== null) {
    for (const [key, value] of Object.entries(schema)) {
      const words = key === 'enum' ? value : key === 'const' ? [value] : [];
      for (const word of Array.isArray(words) ? words : []) if (typeof word === 'string') found.add(word);
      wordsIn(value, found);
    }
  }
  return found;
}
