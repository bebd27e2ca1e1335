/** Which names a new plugin may have: kebab-case, and nobody else's. */
import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXPRESS_GATEWAY_POLICIES } from '../../configuration/check-policies.ts';
import { POLICY_ORDER } from '../../configuration/policy-order.ts';
import { Refusal } from '../refusal.ts';
import type { PluginPlace } from './place.ts';

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;
const LONGEST = 30;

/** The plugins that come with Tidegate lie beside the gateway, built or not. */
const OWN_PLUGINS = resolve(import.meta.dirname, '../../../plugins');

/** @throws Refusal for a name that is no kebab-case, or too long */
export function requirePluginName(name: string): void {
  if (NAME.test(name) && name.length <= LONGEST && !(name in {})) return;
  throw new Refusal(
    'VALIDATION_ERROR',
    `"${name}" is no name for a plugin: it needs kebab-case of at most ${LONGEST} characters, such as require-team.`,
  );
}

/** @throws Refusal for a name that a plugin or policy has, and for files that are there */
export function requireFreeName(name: string, { files, root }: PluginPlace): void {
  const taken = [
    ...readdirSync(OWN_PLUGINS),
    ...POLICY_ORDER.map((policy) => policy.name),
    ...EXPRESS_GATEWAY_POLICIES,
  ];
  if (taken.includes(name)) {
    throw new Refusal('CONFLICT', `"${name}" is the name of a plugin or policy already; choose another one.`);
  }
  const inTheWay = [...files.keys()].find((path) => existsSync(join(root, path)));
  if (inTheWay === undefined) return;
  throw new Refusal('CONFLICT', `${join(root, inTheWay)} is there already; nothing was written.`);
}
