/** Reads and checks a configuration directory: the only way in for configuration. */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { DEFAULT_CUSTOM_SQL } from '../../config/custom-sql-settings.ts';
import { environmentOfProcess } from '../../config/settings.ts';
import { type ConfigurationSurroundings, checkConfiguration } from './check-configuration.ts';
import type { CustomSqlTimes } from './check-custom-sql.ts';
import { ReadTlsFiles } from './check-tls.ts';
import type { Configuration } from './configuration.ts';
import { Cursor } from './cursor.ts';
import { ConfigurationError, type Fault, sortFaults } from './faults.ts';
import { readWithIncludes } from './include.ts';
import type { LoadedPlugins } from './loaded-plugins.ts';
import { loadPlugins } from './plugin-manifests.ts';
import { reachedOperations } from './reached-operations.ts';
import { SecretTexts, SHORTEST_PART } from './secret-texts.ts';
import type { SourceFile } from './source-file.ts';
import { Variables } from './variables.ts';

/** The files of a configuration directory. */
export const CONFIGURATION_FILES = [
  'gateway.config.yml',
  'system.config.yml',
  'plans.yml',
  'models/users.json',
  'models/credentials.json',
  'models/applications.json',
] as const;

/** How a configuration is read. */
export interface ReadingOptions extends Partial<Pick<ConfigurationSurroundings, 'readsFiles'>> {
  /** By default that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Where a configuration is read, and what it is checked against, as in {@link loadConfiguration}. */
export interface ConfigurationSource extends ReadingOptions {
  readonly directory: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly customSql: CustomSqlTimes | null;
}

/** The same as {@link loadConfiguration}. */
export function loadFrom({
  directory,
  variables,
  customSql,
  ...options
}: ConfigurationSource): Promise<Configuration> {
  return loadConfiguration(directory, variables, customSql, options);
}

/**
 * The checked configuration of `directory`. `variables` are those of the server that `${NAME}` in its strings may name, besides
 * those of the `environment`; `customSql` holds the time limits of custom SQL in the query service, by default those it has
 * without settings; with `readsFiles`, what the policies read from disk must be there, as in a process that runs them.
 * @throws ConfigurationError with every fault of every file at once.
 */
export async function loadConfiguration(
  directory: string,
  variables: Readonly<Record<string, string>>,
  customSql: CustomSqlTimes | null = DEFAULT_CUSTOM_SQL,
  { readsFiles = false, environment = environmentOfProcess() }: ReadingOptions = {},
): Promise<Configuration> {
  const absolute = path.resolve(directory);
  const isDirectory = await stat(absolute).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isDirectory) {
    throw new ConfigurationError([
      { file: directory, path: '', came: directory, allowed: [], text: 'is not a directory' },
    ]);
  }

  const faults: Fault[] = [];
  const secrets = new SecretTexts();
  const named = new Variables(variables, environment, secrets);
  const included = new Set<string>();
  const texts = new Map<string, string>();
  const reading = {
    directory: absolute,
    variables: named,
    faults,
    roots: CONFIGURATION_FILES,
    included,
    texts,
  };
  const sources: (SourceFile | null)[] = [];
  for (const name of CONFIGURATION_FILES) sources.push(await readWithIncludes(name, reading));
  const [gateway = null, system = null, plans = null, users = null, credentials = null, applications = null] =
    sources;
  const none: LoadedPlugins = { plugins: [], complete: false };
  const plugins = system ? await loadPlugins(Cursor.of(system, faults).at('plugins')) : none;
  const read = { gateway, system, plans, models: { users, credentials, applications } };
  const tlsFiles = new ReadTlsFiles();
  const documentFiles = new Set<string>();
  const surroundings = { variables, customSql, readsFiles, tlsFiles, documentFiles };
  const checked = checkConfiguration(read, plugins, surroundings, faults);
  const further = [...included, ...named.secretFiles, ...tlsFiles.digests.keys(), ...documentFiles];
  if (checked === null || faults.length > 0)
    throw new ConfigurationError(
      sortFaults(faults.map((fault) => concealed(fault, secrets))),
      further,
      texts,
    );
  const idleDocuments = [...checked.backendDocuments].filter(
    ([name, document]) => reachedOperations(checked, name, document).length === 0,
  );
  const warnings = [
    ...checked.warnings.map((fault) => concealed(fault, secrets)),
    ...named.shortSecretFiles.map(tooShort),
    ...idleDocuments.map(([name, { file }]) => unreached(name, file)),
  ];
  const endedCertificates = new Map(tlsFiles.ended.map(({ path: file, text }) => [file, text]));
  return {
    directory: absolute,
    hash: hashOf(sources),
    texts,
    pinned: null,
    ...checked,
    endedCertificates,
    warnings,
    further,
    variables: named.used,
    secrets,
  };
}

/** Digits of a hash: enough to tell configurations of one installation apart. */
const HASH_DIGITS = 12;

/** Of what the files say before `${…}` is replaced: it is shown to everybody, and machines whose variables differ agree on it. */
function hashOf(sources: readonly (SourceFile | null)[]): string {
  const written = sources.map((source) => source?.written ?? null);
  return createHash('sha256').update(JSON.stringify(written)).digest('hex').slice(0, HASH_DIGITS);
}

/** A fault says nothing of a secret, wherever it comes from. */
function concealed(fault: Fault, secrets: SecretTexts): Fault {
  const { came, allowed, nearest, text } = fault;
  return { ...fault, ...secrets.conceal({ came, allowed, nearest, text }) };
}

function unreached(service: string, file: string): Fault {
  const text = `no endpoint reaches an operation of ${file}`;
  return { file: 'gateway.config.yml', path: `serviceEndpoints.${service}.openapi`, allowed: [], text };
}

function tooShort(file: string): Fault {
  const text = `this secret is hidden only where it stands alone, not within other texts: it has fewer than ${SHORTEST_PART} characters`;
  return { file, path: '', allowed: [], text };
}
