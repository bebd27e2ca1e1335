/** A server process from its settings to an orderly end; what it serves is the caller's. */
import cluster from 'node:cluster';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { type Logger, pino } from 'pino';
import { loadSettings, type Settings, SettingsError } from '../config/settings.ts';
import { WORKER_READY } from './worker-processes.ts';

/** What runs once it is started. */
export interface Running {
  /** Base URL of what it serves. */
  readonly origin: string;
  /** What the operator must see once, or null. */
  readonly announcement: string | null;
  /** Reads the configuration anew; told of in the log, never rejects. */
  reload(reason: string): Promise<unknown>;
  /** Replaces its workers one by one, where it has some; never rejects. */
  restart?(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts, announces, reloads on SIGHUP, replaces workers on SIGUSR2, and ends on SIGTERM or SIGINT, during the start at once; on any fault of the start the process ends with 1.
 * `defaults` stand for settings that are not set, where they differ from those of the gateway.
 */
export async function runProcess(
  start: (settings: Settings, logger: Logger) => Promise<Running>,
  defaults: Readonly<Record<string, string>> = {},
): Promise<void> {
  // Whatever a store or library creates in DATA_DIR is for this user alone.
  process.umask(0o077);
  const settings = readSettings(defaults);
  const logger = pino({ level: settings.logLevel }, pino.destination(2));
  process.on('uncaughtException', (fault) => {
    logger.fatal({ err: fault }, 'uncaught');
    process.exit(1);
  });

  const startedOnTerminal = hasTerminal();
  // Asked for before it is started, they are done then: unheard, these signals would end the process.
  process.on('SIGHUP', async (signal) => {
    const { reload } = await starting;
    // The same signal says that the terminal is gone, which ends what was started on it.
    if (startedOnTerminal && !hasTerminal()) await end(signal);
    else await reload(signal);
  });
  process.on('SIGUSR2', async (signal) => {
    const { restart } = await starting;
    // Whoever signals all processes of a service means the first one; unheard, the signal would end the others at once.
    if (restart) await restart();
    else logger.info({ signal }, 'this process has no workers to replace');
  });

  let running: Running | null = null;
  let ending = false;
  async function end(signal: NodeJS.Signals): Promise<void> {
    if (ending) return;
    ending = true;
    logger.info({ signal }, 'ending');
    // Nothing is served yet, and stores open again after a crash. Unheard, the signal would not end the first process of a container.
    if (running === null) process.exit(128 + constants.signals[signal]);
    await running.close();
    process.exit(0);
  }
  process.on('SIGTERM', end);
  process.on('SIGINT', end);

  const starting = start(settings, logger).catch(fail);
  running = await starting;

  // The first process tells where all of its workers listen.
  if (cluster.isWorker) {
    process.send?.(WORKER_READY);
    return;
  }
  // Whoever reads this may send signals.
  if (running.announcement !== null) process.stdout.write(`${running.announcement}\n`);
  process.stdout.write(`Tidegate listens on ${running.origin}\n`);
}

/** Whether the process stands on a terminal that is still there. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Says what stops the start, and nothing else: a stack tells an operator less than the fault's own words. */
function fail(fault: unknown): never {
  process.stderr.write(`tidegate cannot start: ${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exit(1);
}

function readSettings(defaults: Readonly<Record<string, string>>): Settings {
  try {
    return loadSettings(undefined, defaults);
  } catch (fault) {
    if (fault instanceof SettingsError) fail(fault);
    throw fault;
  }
}
