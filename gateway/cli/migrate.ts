/** `tidegate migrate`: brings the stores to the schema of this version, those of MONGODB_URI or else those of DATA_DIR. */
import type { Command } from 'commander';
import { migrate } from '../../services/shared/storage/mongodb/migrate.ts';
import { type EmbeddedStep, migrateEmbedded } from './installation/migrate-embedded.ts';
import { withMongodb } from './installation/with-mongodb.ts';
import { printJson } from './print-json.ts';

export interface MigrateCommandContext {
  settings(): { readonly dataDir: string; readonly mongodbUri: string | null };
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  tell(text: string): void;
}

interface MigrateCommandOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Adds `migrate`; exit code 0 when the stores are, or with --dry-run could be, as this version needs them. */
export function registerMigrateCommand(program: Command, context: MigrateCommandContext): void {
  program
    .command('migrate')
    .description(
      'Bring the stores to the schema of this version: those of MONGODB_URI, else those of DATA_DIR.',
    )
    .option('--dry-run', 'only say what would be done')
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
  { print, tell }: MigrateCommandContext,
): Promise<void> {
  const report = await withMongodb(uri, (connection) =>
    migrate(connection, { dryRun, told: (step) => tell(`${step}\n`) }),
  );
  if (json) return printJson(print, { store: 'mongodb', dryRun, ...report });
  const { fromVersion, toVersion, indexes } = report;
  const lines = indexes.map((name) => `index ${name}`);
  if (fromVersion !== toVersion) lines.push(`schema version ${fromVersion ?? 'none'} → ${toVersion}`);
  print(`${summary('the database', lines, dryRun)}\n`);
}

async function embedded(
  dataDir: string,
  { dryRun = false, json }: MigrateCommandOptions,
  { print, tell }: MigrateCommandContext,
): Promise<void> {
  const stores = await migrateEmbedded(dataDir, { dryRun, told: (step) => tell(`${step}\n`) });
  if (json) return printJson(print, { store: 'embedded', dryRun, stores });
  const behind = stores.filter(({ fromVersion, toVersion }) => fromVersion !== toVersion);
  print(`${summary(dataDir, behind.map(stepText), dryRun)}\n`);
}

function stepText({ file, fromVersion, toVersion }: EmbeddedStep): string {
  return `${file}: schema version ${fromVersion} → ${toVersion}`;
}

function summary(what: string, lines: readonly string[], dryRun: boolean): string {
  if (lines.length === 0) return `Nothing to do: ${what} is as this version needs it.`;
  return [dryRun ? 'This would be done:' : 'Done:', ...lines.map((line) => `  ${line}`)].join('\n');
}
