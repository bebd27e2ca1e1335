/** Splits a configuration into what is stored openly and what is sealed, and joins it again for showing. */
import type { Integration, SealedSecret } from '../../shared/model/integration.ts';
import type { IntegrationType } from './schema.ts';

type Json = Integration['config'][string];

/** Fields of a configuration that are secret, by type. */
const SECRET_FIELDS: Readonly<Record<IntegrationType, readonly string[]>> = {
  webhook: ['secret'],
  slack: ['webhookUrl'],
  email_report: [],
  generic: [],
};
/** The field of a generic configuration that holds secrets under the customer's own names. */
const NAMED_SECRETS = 'secrets';
/** The field of a generic configuration that holds open values under the customer's own names. */
const NAMED_SETTINGS = 'settings';

/** Changes to a configuration; null removes. */
export interface ConfigChanges {
  readonly open: ReadonlyMap<string, Json>;
  /** By their name in `secrets` of the document. */
  readonly secrets: ReadonlyMap<string, string | null>;
}

/** The request, split; `held`: names of the existing secrets. Undefined: nothing is requested. */
export function configChanges(
  type: IntegrationType,
  asked: Readonly<Record<string, Json | undefined>>,
  held: readonly string[],
): ConfigChanges {
  const open = new Map<string, Json>();
  const secrets = new Map<string, string | null>();
  for (const [field, value] of Object.entries(asked)) {
    if (value === undefined) continue;
    if (SECRET_FIELDS[type].includes(field)) secrets.set(field, value === null ? null : String(value));
    else if (type !== 'generic' || field !== NAMED_SECRETS) open.set(field, value);
    else if (value === null) for (const name of held) secrets.set(name, null);
    else for (const [name, text] of Object.entries(value)) secrets.set(secretName(name), text);
  }
  return { open, secrets };
}

/** The open part with its changes; the settings of a generic one change name by name. */
export function mergedConfig(
  type: IntegrationType,
  existing: Integration['config'],
  changes: ReadonlyMap<string, Json>,
): Integration['config'] {
  const merged = new Map(Object.entries(existing));
  for (const [field, value] of changes) {
    const before = merged.get(field);
    const byName = type === 'generic' && field === NAMED_SETTINGS && isObject(value);
    const after = byName ? withoutNulls({ ...(isObject(before) ? before : {}), ...value }) : value;
    if (after === null) merged.delete(field);
    else merged.set(field, after);
  }
  return Object.fromEntries(merged);
}

/** The whole configuration in its wire form, secrets masked. */
export function shownConfig({ type, config, secrets }: Integration): Integration['config'] {
  const masked = Object.entries(secrets).map(([name, secret]) => [name, maskOf(secret)] as const);
  if (type !== 'generic') return { ...config, ...Object.fromEntries(masked) };
  const named = masked.map(([name, mask]) => [name.slice(NAMED_SECRETS.length + 1), mask]);
  return { [NAMED_SETTINGS]: {}, ...config, [NAMED_SECRETS]: Object.fromEntries(named) };
}

/** What is shown instead of a secret. */
export function maskOf({ last4 }: SealedSecret): string {
  return last4 === '' ? '••••' : `•••• ${last4}`;
}

function secretName(name: string): string {
  return `${NAMED_SECRETS}.${name}`;
}

function isObject(value: Json | undefined): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutNulls(values: { [name: string]: Json }): { [name: string]: Json } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}
