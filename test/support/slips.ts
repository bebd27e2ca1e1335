/** Slips of a hand in a configuration: every key, name, value and reference left out, misspelt, or of another type. */
import { DEFAULT_CUSTOM_SQL } from '../../config/custom-sql-settings.ts';
import { checkConfiguration } from '../../gateway/configuration/check-configuration.ts';
import type { CheckedFiles } from '../../gateway/configuration/configuration.ts';
import { Cursor } from '../../gateway/configuration/cursor.ts';
import type { Fault } from '../../gateway/configuration/faults.ts';
import { CONFIGURATION_FILES } from '../../gateway/configuration/load-configuration.ts';
import { loadPlugins } from '../../gateway/configuration/plugin-manifests.ts';
import { SecretTexts } from '../../gateway/configuration/secret-texts.ts';
import { readSourceFile, type SourceFile } from '../../gateway/configuration/source-file.ts';
import { Variables } from '../../gateway/configuration/variables.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../gateway/process/reload/configuration-variables.ts';

type Steps = readonly (string | number)[];
type Tree = Record<string | number, unknown>;

/** One slip: what is said of it, and how it changes the map or list that holds the last step. */
export interface Slip {
  readonly name: string;
  readonly steps: Steps;
  change(holder: Tree, key: string | number): void;
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

function remove(holder: Tree, key: string | number): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/** The same map with one key written otherwise, at its place. */
function rename(holder: Tree, key: string | number): void {
  const entries = Object.entries(holder);
  for (const [name] of entries) delete holder[name];
  for (const [name, value] of entries) holder[name === key ? `${name}x` : name] = value;
}

/** Values of another type than the one that is meant. What says who may gets all of them, another place one in turn. */
const OTHERS: readonly unknown[] = [[], true, '', {}, 7, '*'];
/** The keys that say who may, and to what. */
const SAYS_WHO: readonly unknown[] = [
  'scopes',
  'scopesUnder',
  'access',
  'roles',
  'paths',
  'methods',
  'origin',
];

/** Every slip below `value`: whatever stands there is left out, misspelt, or of another type. */
function slips(value: unknown, steps: Steps): Slip[] {
  if (!isTree(value)) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return keys.flatMap((key, index) => {
    const at = [...steps, key];
    const inside = value[key];
    const own: Slip[] = [{ name: 'left out', steps: at, change: remove }];
    if (typeof key === 'string') own.push({ name: 'its key misspelt', steps: at, change: rename });
    if (typeof inside === 'string') {
      const misspelt = { name: 'misspelt', steps: at, change: put(`${inside}x`) };
      own.push(misspelt, { name: 'shortened', steps: at, change: put(inside.slice(0, -1)) });
    }
    const isDecisive = at.some((step) => SAYS_WHO.includes(step));
    const others = isDecisive ? OTHERS : [OTHERS[(steps.length + index) % OTHERS.length]];
    for (const other of [null, ...others])
      own.push({ name: `${JSON.stringify(other)} in its place`, steps: at, change: put(other) });
    return [...own, ...slips(inside, at)];
  });
}

function put(value: unknown): Slip['change'] {
  return (holder, key) => {
    holder[key] = structuredClone(value);
  };
}

/** A configuration that is read once, and checked again with each slip. */
export interface SlippedConfiguration {
  readonly valid: CheckedFiles;
  /** Every slip at `steps` of gateway.config.yml and below. */
  slips(...steps: Steps): Slip[];
  /** The configuration with this slip; null: the check refuses it. */
  check(slip: Slip): CheckedFiles | null;
}

/** Reads the files of `directory`. @throws Error when they have faults */
export async function readForSlips(directory: string): Promise<SlippedConfiguration> {
  const variables = configurationVariables(UNSTARTED_SERVICE_URLS);
  const faults: Fault[] = [];
  const named = new Variables(variables, {}, new SecretTexts());
  const read = CONFIGURATION_FILES.map((name) => readSourceFile(directory, name, named, faults));
  const sources = (await Promise.all(read)).filter((source) => source !== null);
  const [gateway, system, plans = null, users = null, credentials = null, applications = null] = sources;
  if (gateway === undefined || system === undefined) throw new Error('the files cannot be read');
  const plugins = await loadPlugins(Cursor.of(system, faults).at('plugins'));

  function checked(file: SourceFile, found: Fault[] = []): CheckedFiles | null {
    const models = { users, credentials, applications };
    const surroundings = { variables, customSql: DEFAULT_CUSTOM_SQL, readsFiles: false };
    return checkConfiguration(
      { gateway: file, system, plans, models } as Parameters<typeof checkConfiguration>[0],
      plugins,
      surroundings,
      found,
    );
  }
  const valid = checked(gateway, faults);
  if (valid === null) throw new Error(`the configuration has a fault: ${JSON.stringify(faults)}`);

  function withSlip({ steps, change }: Slip): SourceFile {
    const changed = (root: unknown): unknown => {
      const copy = structuredClone(root);
      const holder = steps.slice(0, -1).reduce((inside, step) => (inside as Tree)[step], copy) as Tree;
      change(holder, steps.at(-1) ?? '');
      return copy;
    };
    const file = gateway as SourceFile;
    return {
      ...file,
      value: changed(file.value),
      written: changed(file.written),
      placeOf: (at) => ({ file: file.name, line: undefined, steps: at }),
    };
  }
  return {
    valid,
    slips: (...steps) =>
      slips(
        steps.reduce((inside, step) => (inside as Tree)[step], gateway.value as unknown),
        steps,
      ),
    check: (slip) => checked(withSlip(slip)),
  };
}
