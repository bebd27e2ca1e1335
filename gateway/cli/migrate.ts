/** `tidegate migrate`: migrates the stores of MONGODB_URI, or else those of DATA_DIR, to the schema of this version, and names links that answer no more. */
import type { Command } from 'commander';
import { migrate } from '../../services/shared/storage/mongodb/migrate.ts';
import { migrateInTurn } from '../../services/shared/storage/mongodb/migrate-in-turn.ts';
import type { ConfigurationSurroundings } from '../configuration/check-configuration.ts';
import { ConfigurationError } from '../configuration/faults.ts';
import { loadConfiguration } from '../configuration/load-configuration.ts';
import { type TakenLink, takenLinkText } from '../process/reload/taken-links.ts';
import { findStoredTakenLinks } from './installation/find-stored-taken-links.ts';
import { type EmbeddedStep, migrateEmbedded } from './installation/migrate-embedded.ts';
import { withMongodb } from './installation/with-mongodb.ts';
import { printJson } from './print-json.ts';

export interface MigrateCommandContext {
  settings(): { readonly dataDir: string; readonly mongodbUri: string | null };
  /** The configuration directory of the settings, and what its files are checked against. */
  configDir(): string;
  surroundings(): Omit<ConfigurationSurroundings, 'readsFiles'>;
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  tell(text: string): void;
}

interface MigrateCommandOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Adds `migrate`; exit code 0 when the stores have, or with --dry-run could have, the schema of this version. */
export function registerMigrateCommand(program: Command, context: MigrateCommandContext): void {
  program
    .command('migrate')
    .description(
      'Migrate the stores of MONGODB_URI, or else those of DATA_DIR, to the schema of this version; name links whose slug a route took.',
    )
    .option('--dry-run', 'only report what would be done')
    .option('--json', 'print JSON')
    .action(async (options: MigrateCommandOptions) => {
      const { dataDir, mongodbUri } = context.settings();
      if (mongodbUri === null) await embedded(dataDir, options, context);
      else await mongodb(mongodbUri, options, context);
    });
}

async function mongodb(
  uri: string,
  { dryRun = false, json }: MigrateCommandOptions,
  context: MigrateCommandContext,
): Promise<void> {
  const { print, tell } = context;
  const report = await withMongodb(uri, (connection) =>
    dryRun
      ? migrate(connection, { dryRun })
      : migrateInTurn(connection, { told: (step) => tell(`${step}\n`) }),
  );
  const { fromVersion, toVersion, indexes } = report;
  const links = dryRun && fromVersion !== toVersion ? null : await takenLinks(context);
  if (json) return printJson(print, { store: 'mongodb', dryRun, ...report, ...asJson(links) });
  const lines = indexes.map((name) => `index ${name}`);
  if (fromVersion !== toVersion) lines.push(`schema version ${fromVersion ?? 'none'} → ${toVersion}`);
  print(`${summary('the database', lines, dryRun)}\n${linkLines(links)}`);
}

async function embedded(
  dataDir: string,
  { dryRun = false, json }: MigrateCommandOptions,
  context: MigrateCommandContext,
): Promise<void> {
  const { print, tell } = context;
  const stores = await migrateEmbedded(dataDir, { dryRun, told: (step) => tell(`${step}\n`) });
  const behind = stores.filter(({ fromVersion, toVersion }) => fromVersion !== toVersion);
  const links = dryRun && behind.length > 0 ? null : await takenLinks(context);
  if (json) return printJson(print, { store: 'embedded', dryRun, stores, ...asJson(links) });
  print(`${summary(dataDir, behind.map(stepText), dryRun)}\n${linkLines(links)}`);
}

function stepText({ file, fromVersion, toVersion }: EmbeddedStep): string {
  return `${file}: schema version ${fromVersion} → ${toVersion}`;
}

function summary(what: string, lines: readonly string[], dryRun: boolean): string {
  if (lines.length === 0) return `Nothing to do: ${what} already has the schema of this version.`;
  return [dryRun ? 'This would be done:' : 'Done:', ...lines.map((line) => `  ${line}`)].join('\n');
}

/** Links whose address a route has; null when the configuration that would say so has faults. Those are no reason not to migrate. */
async function takenLinks({
  settings,
  configDir,
  surroundings,
  tell,
}: MigrateCommandContext): Promise<TakenLink[] | null> {
  const { variables, customSql } = surroundings();
  const configuration = await loadConfiguration(configDir(), variables, customSql).catch((fault: unknown) => {
    if (!(fault instanceof ConfigurationError)) throw fault;
    tell('links were not compared with the routes: the configuration has faults (tidegate check)\n');
    return null;
  });
  return configuration && findStoredTakenLinks(settings(), configuration);
}

function asJson(links: readonly TakenLink[] | null): { takenLinks?: readonly TakenLink[] } {
  return links === null ? {} : { takenLinks: links };
}

function linkLines(links: readonly TakenLink[] | null): string {
  if (links === null || links.length === 0) return '';
  const lines = links.map((link) => `  ${takenLinkText(link)}\n`);
  return `Links that answer no more:\n${lines.join('')}`;
}
