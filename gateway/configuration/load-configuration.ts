/** Reads and checks a configuration directory: the one door through which configuration comes in. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { checkConfiguration } from './check-configuration.ts';
import type { Configuration } from './configuration.ts';
import { Cursor } from './cursor.ts';
import { ConfigurationError, type Fault, sortFaults } from './faults.ts';
import { type LoadedPlugins, loadPlugins } from './plugin-manifests.ts';
import { readSourceFile } from './source-file.ts';

/** The files of a configuration directory. */
export const CONFIGURATION_FILES = [
  'gateway.config.yml',
  'system.config.yml',
  'plans.yml',
  'models/users.json',
  'models/credentials.json',
  'models/applications.json',
] as const;

/**
 * The checked configuration of `directory`. `variables` are what `${NAME}` in its strings may name.
 * @throws ConfigurationError with every fault of every file at once.
 */
export async function loadConfiguration(
  directory: string,
  variables: Readonly<Record<string, string>>,
): Promise<Configuration> {
  const absolute = path.resolve(directory);
  const isDirectory = await stat(absolute).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isDirectory) {
    throw new ConfigurationError([
      { file: directory, path: '', came: directory, allowed: [], text: 'is no directory' },
    ]);
  }

  const faults: Fault[] = [];
  const [gateway = null, system = null, plans = null, users = null, credentials = null, applications = null] =
    await Promise.all(CONFIGURATION_FILES.map((name) => readSourceFile(absolute, name, variables, faults)));

  const none: LoadedPlugins = { plugins: [], complete: false };
  const plugins = system ? await loadPlugins(Cursor.of(system, faults).at('plugins')) : none;
  const sources = { gateway, system, plans, models: { users, credentials, applications } };
  const checked = checkConfiguration(sources, plugins, faults);
  if (checked === null || faults.length > 0) throw new ConfigurationError(sortFaults(faults));
  return { directory: absolute, ...checked };
}
