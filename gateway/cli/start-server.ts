/** `tidegate start`: runs the server, or one part of it, in a process of its own, since Node reads the size of its thread pool once, at the very beginning. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { join } from 'node:path';
import { Argument, type Command } from 'commander';
import { PACKAGE_ROOT } from '../../config/settings.ts';

/** What may be started alone, each with its entry point; without a name all of it starts. */
const ENTRY_POINTS = {
  all: 'main',
  gateway: 'main-gateway',
  query: 'main-query',
  tracking: 'main-tracking',
  resources: 'main-resources',
} as const;
type Part = keyof typeof ENTRY_POINTS;

/** What a supervisor sends; the server says itself what each means. */
const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const;

/** Adds `start`; it ends when the server ends, and hands its exit code to `end`. */
export function registerStartCommand(program: Command, end: (code: number) => void): void {
  const part = new Argument(
    '[part]',
    'what to start; parts need MONGODB_URI and the addresses of the services',
  );
  program
    .command('start')
    .description('Start the server: all of it in one process, or one part.')
    .addArgument(part.choices(Object.keys(ENTRY_POINTS)).default('all'))
    .action(async (name: Part) => end(await runServer(ENTRY_POINTS[name])));
}

/** The exit code of the server. */
async function runServer(entry: string): Promise<number> {
  const node = [`--env-file=${join(PACKAGE_ROOT, 'config/node.env')}`];
  const script = join(PACKAGE_ROOT, `dist/gateway/process/${entry}.js`);
  const server = spawn(process.execPath, [...node, script], { stdio: 'inherit' });
  for (const signal of PASSED_ON) {
    // In place of whoever would end this process before the server.
    process.removeAllListeners(signal);
    process.on(signal, () => server.kill(signal));
  }
  const [code, signal] = (await once(server, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + constants.signals[signal ?? 'SIGTERM'];
}
