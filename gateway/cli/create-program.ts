/** Assembles the command line: its commands, its version, and its three exit codes. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, CommanderError } from 'commander';
import { loadSettings, PACKAGE_ROOT, SettingsError } from '../../config/settings.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import { configurationVariables, unstartedServiceUrls } from '../process/reload/configuration-variables.ts';
import { addExamples } from './examples.ts';
import type { HistoryCommandContext } from './load-named.ts';
import { refusalText, toRefusal } from './refusal.ts';

/** Exit codes (contract.md section 8). */
export const EXIT = { ok: 0, refused: 1, usage: 2 } as const;

/** Where a run writes, and what it reads its settings from. */
export interface CliStreams {
  out(text: string): void;
  error(text: string): void;
  /** Absent: that of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** What commands are registered with. */
interface Registration {
  readonly program: Command;
  readonly streams: CliStreams;
  readonly configuration: HistoryCommandContext;
  /** Told of the exit code of a server that ran, or of a command that found faults. */
  readonly ended: (code: number) => void;
}

type Register = (registration: Registration) => Promise<void>;

/** For commands that read settings and print. */
const printing = ({ streams }: Registration) => ({
  settings: () => loadSettings(streams.environment),
  print: streams.out,
});
const telling = (registration: Registration) => ({
  ...printing(registration),
  tell: registration.streams.error,
});
const inPackage = ({ streams }: Registration) => ({
  packageRoot: PACKAGE_ROOT,
  workingDirectory: () => process.cwd(),
  print: streams.out,
});

/**
 * Every command in the order of the help; each further one stands here. A command is loaded only where it runs or is shown: stores,
 * drivers and routes take longer to load than most commands to run.
 */
const COMMANDS: Readonly<Record<string, Register>> = {
  start: async ({ program, ended }) =>
    (await import('./start-server.ts')).registerStartCommand(program, ended),
  keys: async (to) =>
    (await import('./keys.ts')).registerKeysCommand(to.program, {
      ...printing(to),
      clock: systemClock,
      randomBytes,
    }),
  organizations: async (to) =>
    (await import('./organizations.ts')).registerOrganizationsCommand(to.program, printing(to)),
  users: async (to) => (await import('./users.ts')).registerUsersCommand(to.program, printing(to)),
  secrets: async (to) => (await import('./secrets.ts')).registerSecretsCommand(to.program, printing(to)),
  cache: async (to) => (await import('./cache.ts')).registerCacheCommand(to.program, printing(to)),
  history: async (to) => (await import('./history.ts')).registerHistoryCommand(to.program, printing(to)),
  rollback: async (to) => (await import('./rollback.ts')).registerRollbackCommand(to.program, printing(to)),
  unpin: async (to) => (await import('./rollback.ts')).registerUnpinCommand(to.program, printing(to)),
  limits: async (to) => (await import('./limits.ts')).registerLimitsCommand(to.program, printing(to)),
  top: async (to) =>
    (await import('./top.ts')).registerTopCommand(to.program, {
      ...telling(to),
      isTerminal: () => process.stdout.isTTY,
    }),
  why: async (to) => (await import('./why.ts')).registerWhyCommand(to.program, printing(to)),
  salvage: async (to) =>
    (await import('./salvage.ts')).registerSalvageCommand(to.program, {
      ...printing(to),
      clock: systemClock,
    }),
  import: async (to) => (await import('./import.ts')).registerImportCommand(to.program, telling(to)),
  export: async (to) =>
    (await import('./export.ts')).registerExportCommand(to.program, { ...telling(to), clock: systemClock }),
  migrate: async (to) =>
    (await import('./migrate.ts')).registerMigrateCommand(to.program, {
      ...to.configuration,
      ...telling(to),
    }),
  copy: async (to) => (await import('./copy.ts')).registerCopyCommand(to.program, telling(to)),
  segments: async (to) =>
    (await import('./segments.ts')).registerSegmentsCommand(to.program, {
      ...telling(to),
      found: () => to.ended(EXIT.refused),
    }),
  backup: async (to) => (await import('./backup.ts')).registerBackupCommand(to.program, telling(to)),
  check: async ({ program, configuration }) =>
    (await import('./check.ts')).registerCheckCommand(program, configuration),
  routes: async ({ program, configuration }) =>
    (await import('./routes.ts')).registerRoutesCommand(program, configuration),
  explain: async ({ program, configuration }) =>
    (await import('./explain.ts')).registerExplainCommand(program, configuration),
  diff: async ({ program, configuration, ended }) =>
    (await import('./diff.ts')).registerDiffCommand(program, configuration, ended),
  init: async (to) => (await import('./init.ts')).registerInitCommand(to.program, inPackage(to)),
  schema: async ({ program, streams }) =>
    (await import('./schema.ts')).registerSchemaCommand(program, streams.out),
  'new-plugin': async (to) =>
    (await import('./new-plugin.ts')).registerNewPluginCommand(to.program, inPackage(to)),
  completion: async ({ program, streams }) =>
    (await import('./completion.ts')).registerCompletionCommand(program, streams.out),
};

/** The program with every command, or with `only` one. `ended`: told of an exit code other than 0 of what ran to its end. */
export async function createProgram(
  streams: CliStreams,
  ended: (code: number) => void = () => undefined,
  only: string | null = null,
): Promise<Command> {
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
  const configuration: HistoryCommandContext = {
    configDir: () => loadSettings(streams.environment).configDir,
    surroundings: () => {
      const { serviceUrls, dashboardDir, customSql } = loadSettings(streams.environment);
      const variables = configurationVariables(unstartedServiceUrls(serviceUrls), dashboardDir);
      return { variables, customSql };
    },
    organizations: async () => {
      const { withAdministration } = await import('./with-administration.ts');
      return withAdministration(loadSettings(streams.environment), (administration) =>
        administration.listOrganizations(),
      );
    },
    history: async (ask) => {
      const { withAdministration } = await import('./with-administration.ts');
      return withAdministration(loadSettings(streams.environment), ask);
    },
    out: (line) => streams.out(`${line}\n`),
  };
  for (const [name, register] of Object.entries(COMMANDS)) {
    if (only === null || only === name) await register({ program, streams, configuration, ended });
  }
  addExamples(program);
  return program;
}

/** The one command that the arguments name; null where all must be known: in help, completion, and for what is no command. */
function namedIn([first = '']: readonly string[]): string | null {
  return Object.hasOwn(COMMANDS, first) && first !== 'completion' ? first : null;
}

/** Runs the arguments (without node and script) and returns the exit code. Never throws. */
export async function runProgram(args: readonly string[], streams: CliStreams): Promise<number> {
  let code: number = EXIT.ok;
  try {
    const ended = (its: number): void => {
      code = its;
    };
    const program = await createProgram(streams, ended, namedIn(args));
    await program.parseAsync(args, { from: 'user' });
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
