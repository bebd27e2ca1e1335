/** Assembles the command line: its commands, its version, and its three exit codes. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { loadSettings, PACKAGE_ROOT, SettingsError } from '../../config/settings.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import { configurationVariables, unstartedServiceUrls } from '../process/reload/configuration-variables.ts';
import { registerBackupCommand } from './backup.ts';
import { registerCacheCommand } from './cache.ts';
import { type ConfigurationCommandContext, registerCheckCommand } from './check.ts';
import { registerCompletionCommand } from './completion.ts';
import { registerCopyCommand } from './copy.ts';
import { addExamples } from './examples.ts';
import { registerExplainCommand } from './explain.ts';
import { registerImportCommand } from './import.ts';
import { registerInitCommand } from './init.ts';
import { registerKeysCommand } from './keys.ts';
import { registerMigrateCommand } from './migrate.ts';
import { registerNewPluginCommand } from './new-plugin.ts';
import { registerOrganizationsCommand } from './organizations.ts';
import { refusalText, toRefusal } from './refusal.ts';
import { registerRoutesCommand } from './routes.ts';
import { registerSalvageCommand } from './salvage.ts';
import { registerSchemaCommand } from './schema.ts';
import { registerSecretsCommand } from './secrets.ts';
import { registerStartCommand } from './start-server.ts';
import { registerUsersCommand } from './users.ts';

/** Exit codes (contract.md section 8). */
export const EXIT = { ok: 0, refused: 1, usage: 2 } as const;

/** The output streams of a run. */
export interface CliStreams {
  out(text: string): void;
  error(text: string): void;
}

/** The program with every command; each further command is registered here. `ended`: told of the exit code of a server that it ran. */
export function createProgram(streams: CliStreams, ended: (code: number) => void = () => undefined): Command {
  const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const program = new Command('tidegate')
    .description('Runs and administers Tidegate: an analytics API behind one gateway.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: streams.out, writeErr: streams.error })
    .showHelpAfterError('(add --help for usage)')
    .addHelpText(
      'after',
      '\nSettings come from the environment (DATA_DIR, KEY_PREFIX, …). Exit codes: 0 done, 1 refused, 2 usage error.',
    );
  registerStartCommand(program, ended);
  registerKeysCommand(program, {
    settings: () => loadSettings(),
    print: streams.out,
    clock: systemClock,
    randomBytes,
  });
  registerOrganizationsCommand(program, { settings: () => loadSettings(), print: streams.out });
  registerUsersCommand(program, { settings: () => loadSettings(), print: streams.out });
  registerSecretsCommand(program, { settings: () => loadSettings(), print: streams.out });
  registerCacheCommand(program, { settings: () => loadSettings(), print: streams.out });
  registerSalvageCommand(program, { settings: () => loadSettings(), print: streams.out, clock: systemClock });
  const told = { settings: () => loadSettings(), print: streams.out, tell: streams.error };
  const configuration: ConfigurationCommandContext = {
    configDir: () => loadSettings().configDir,
    surroundings: () => {
      const { serviceUrls, dashboardDir, customSql } = loadSettings();
      const variables = configurationVariables(unstartedServiceUrls(serviceUrls), dashboardDir);
      return { variables, customSql };
    },
    out: (line) => streams.out(`${line}\n`),
  };
  registerImportCommand(program, told);
  registerMigrateCommand(program, { ...configuration, ...told });
  registerCopyCommand(program, told);
  registerBackupCommand(program, told);
  registerCheckCommand(program, configuration);
  registerRoutesCommand(program, configuration);
  registerExplainCommand(program, configuration);
  registerInitCommand(program, {
    packageRoot: PACKAGE_ROOT,
    workingDirectory: () => process.cwd(),
    print: streams.out,
  });
  registerSchemaCommand(program, streams.out);
  registerNewPluginCommand(program, {
    packageRoot: PACKAGE_ROOT,
    workingDirectory: () => process.cwd(),
    print: streams.out,
  });
  registerCompletionCommand(program, streams.out);
  addExamples(program);
  return program;
}

/** Runs the arguments (without node and script) and returns the exit code. Never throws. */
export async function runProgram(args: readonly string[], streams: CliStreams): Promise<number> {
  let code: number = EXIT.ok;
  try {
    await createProgram(streams, (ended) => {
      code = ended;
    }).parseAsync(args, { from: 'user' });
    return code;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const refusal = toRefusal(thrown);
    if (args.includes('--json')) {
      const { code, message, details } = refusal;
      streams.error(`${JSON.stringify({ success: false, error: message, code, details })}\n`);
    } else streams.error(`${refusalText(refusal)}\n`);
    return thrown instanceof SettingsError ? EXIT.usage : EXIT.refused;
  }
}
