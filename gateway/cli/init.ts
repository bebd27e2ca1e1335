/** `tidegate init DIR`: copies the shipped configuration, comments and all, to become one's own. */
import { constants, copyFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CONFIGURATION_FILES } from '../configuration/load-configuration.ts';
import { Refusal } from './refusal.ts';

export interface InitCommandContext {
  /** The folder of this package. */
  readonly packageRoot: string;
  /** Where the command runs. */
  workingDirectory(): string;
  print(text: string): void;
}

/** Folder of the schemas that the first line of each file names. */
export const SCHEMAS = 'schemas';

/** Adds `init DIR`; prints what was written and what to do with it. */
export function registerInitCommand(program: Command, context: InitCommandContext): void {
  program
    .command('init')
    .description('Copy the shipped configuration into a new folder, with its comments and schemas.')
    .argument('<dir>', 'folder that is missing or empty')
    .option('--json', 'print one JSON object')
    .action((dir: string, options: { json?: boolean }) => {
      const directory = resolve(context.workingDirectory(), dir);
      const files = copyConfiguration(join(context.packageRoot, 'config'), directory);
      const told = JSON.stringify({ success: true, directory, files });
      context.print(options.json ? `${told}\n` : nextSteps(directory, files));
    });
}

/** The names of the files that were written. @throws Refusal when something stands at `target` */
function copyConfiguration(source: string, target: string): string[] {
  requireNothingAt(target);
  const schemas = readdirSync(join(source, SCHEMAS)).map((name) => `${SCHEMAS}/${name}`);
  const files = [...CONFIGURATION_FILES, ...schemas];
  for (const name of files) {
    mkdirSync(dirname(join(target, name)), { recursive: true });
    copyFileSync(join(source, name), join(target, name), constants.COPYFILE_EXCL);
  }
  return files;
}

function requireNothingAt(target: string): void {
  try {
    const [found] = readdirSync(target);
    if (found === undefined) return;
    throw new Refusal(
      'CONFLICT',
      `${target} is not empty: it has ${found}; name a folder that is missing or empty`,
    );
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw code === 'ENOTDIR' ? new Refusal('CONFLICT', `${target} is not a folder`) : fault;
  }
}

function nextSteps(directory: string, files: readonly string[]): string {
  const named = `CONFIG_DIR=${/^[\w./@%+,:-]+$/.test(directory) ? directory : `'${directory.replaceAll("'", `'\\''`)}'`}`;
  return `Written to ${directory}:
${files.map((name) => `  ${name}`).join('\n')}

Change the files, and check them:
  ${named} npx tidegate check
Start the server with them:
  ${named} npx tidegate start
A running server reloads them after each change. Editors that know YAML schemas complete and check them by their first line.
`;
}
