/** Starts the processes of a bench, each pinned to a processor, and ends every one of them, whatever happens. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** Where a process runs; `processor` null: wherever the system puts it. */
export interface LaunchOptions {
  readonly processor: number | null;
  readonly cwd?: string;
  /** The whole environment of the process; absent: that of the bench. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningProcess {
  readonly pid: number;
  /** Throws with what the process wrote to stderr when it has ended. */
  assertRunning(): void;
  /** Ends it before the others: asks, and after ten seconds kills. @throws when it does not exit with 0. */
  stop(): Promise<void>;
}

export interface BenchProcesses {
  /** Starts a process that runs until the end of the bench. */
  start(command: string, args: readonly string[], options: LaunchOptions): Promise<RunningProcess>;
  /** Runs a process to its end and gives what it wrote to stdout. @throws when it does not exit with 0. */
  run(command: string, args: readonly string[], options: LaunchOptions): Promise<string>;
  /** Ends what still runs, by process id: asks, and after ten seconds kills. */
  stopAll(): Promise<void>;
}

const PATIENCE_MILLISECONDS = 10_000;
const KEPT_OUTPUT = 8_192;

interface Child {
  readonly process: ChildProcess;
  readonly title: string;
  stdout: string;
  stderr: string;
}

function hasEnded({ process: child }: Child): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function ending({ process: child, title, stderr }: Child): Error {
  return new Error(`${title} ended (${child.exitCode ?? child.signalCode}):\n${stderr.trim()}`);
}

async function end(child: Child): Promise<void> {
  if (hasEnded(child)) return;
  const closed = once(child.process, 'close');
  child.process.kill('SIGTERM');
  const timer = setTimeout(() => child.process.kill('SIGKILL'), PATIENCE_MILLISECONDS);
  await closed;
  clearTimeout(timer);
}

export function createBenchProcesses(): BenchProcesses {
  const children = new Set<Child>();
  let stopping = false;

  async function launch(command: string, args: readonly string[], options: LaunchOptions): Promise<Child> {
    if (stopping) throw new Error('the bench is stopping');
    const pinned = options.processor === null ? [] : ['taskset', '-c', String(options.processor)];
    const [file = command, ...rest] = [...pinned, command, ...args];
    const process = spawn(file, rest, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const child: Child = { process, title: [command, ...args].join(' '), stdout: '', stderr: '' };
    process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      child.stdout = (child.stdout + text).slice(-KEPT_OUTPUT);
    });
    process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      child.stderr = (child.stderr + text).slice(-KEPT_OUTPUT);
    });
    children.add(child);
    for (const end of ['close', 'error']) process.on(end, () => children.delete(child));
    await once(process, 'spawn');
    return child;
  }

  return {
    async start(command, args, options) {
      const child = await launch(command, args, options);
      return {
        pid: Number(child.process.pid),
        assertRunning() {
          if (hasEnded(child)) throw ending(child);
        },
        async stop() {
          await end(child);
          if (child.process.exitCode !== 0) throw ending(child);
        },
      };
    },
    async run(command, args, options) {
      const child = await launch(command, args, options);
      await once(child.process, 'close');
      if (child.process.exitCode !== 0) throw ending(child);
      return child.stdout;
    },
    async stopAll() {
      stopping = true;
      await Promise.all([...children].map(end));
    },
  };
}

/** Waits until `url` answers 200 to these headers. @throws when `running` ends or two minutes pass. */
export async function untilReady(
  url: string,
  running: RunningProcess,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    running.assertRunning();
    const answer = await fetch(url, { headers }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    if (performance.now() > deadline) throw new Error(`${url} did not answer 200 within two minutes`);
    await delay(50);
  }
}
