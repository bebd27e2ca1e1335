/** Assembles the command line: its commands, its version, and its three exit codes. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { loadSettings, PACKAGE_ROOT, SettingsError } from '../../config/settings.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import { configurationVariables, UNSTARTED_SERVICE_URLS } from '../configuration-variables.ts';
import { registerBackupCommand } from './backup.ts';
import { type ConfigurationCommandContext, registerCheckCommand } from './check.ts';
import { registerCopyCommand } from './copy.ts';
import { registerExplainCommand } from './explain.ts';
import { registerImportCommand } from './import.ts';
import { registerKeysCommand } from './keys.ts';
import { registerMigrateCommand } from './migrate.ts';
import { registerOrganizationsCommand } from './organizations.ts';
import { refusalText, toRefusal } from './refusal.ts';
import { registerRoutesCommand } from './routes.ts';
import { registerSalvageCommand } from './salvage.ts';
import { registerSecretsCommand } from './secrets.ts';
import { registerUsersCommand } from './users.ts';

/** Exit codes (contract.md section 8). */
export const EXIT = { ok: 0, refused: 1, usage: 2 } as const;

/** Where a run of the command line writes. */
export interface CliStreams {
  out(text: string): void;
  error(text: string): void;
}

/** The program with every command; each further command is registered here. */
export function createProgram(streams: CliStreams): Command {
  const { version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8')) as {
    version: string;
  };
  const program = new Command('tidegate')
    .description('Runs and administers Tidegate: an analytics API behind one gateway.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: streams.out, writeErr: streams.error })
    .showHelpAfterError('(add --help for what is allowed)')
    .addHelpText(
      'after',
      '\nSettings come from the environment (DATA_DIR, KEY_PREFIX, …). Exit codes: 0 done, 1 refused, 2 wrong usage.',
    );
  registerKeysCommand(program, {
    settings: () => loadSettings(),
    print: streams.out,
    clock: systemClock,
    randomBytes,
  });
  registerOrganizationsCommand(program, { settings: () => loadSettings(), print: streams.out });
  registerUsersCommand(program, { settings: () => loadSettings(), print: streams.out });
  registerSecretsCommand(program, { settings: () => loadSettings(), print: streams.out });
  registerSalvageCommand(program, { settings: () => loadSettings(), print: streams.out, clock: systemClock });
  const told = { settings: () => loadSettings(), print: streams.out, tell: streams.error };
  registerImportCommand(program, told);
  registerMigrateCommand(program, told);
  registerCopyCommand(program, told);
  registerBackupCommand(program, told);
  const configuration: ConfigurationCommandContext = {
    configDir: () => loadSettings().configDir,
    variables: configurationVariables(UNSTARTED_SERVICE_URLS),
    out: (line) => streams.out(`${line}\n`),
  };
  registerCheckCommand(program, configuration);
  registerRoutesCommand(program, configuration);
  registerExplainCommand(program, configuration);
  return program;
}

/** Runs the arguments (without node and script) and tells the exit code. Never throws. */
export async function runProgram(args: readonly string[], streams: CliStreams): Promise<number> {
  try {
    await createProgram(streams).parseAsync(args, { from: 'user' });
    return EXIT.ok;
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
