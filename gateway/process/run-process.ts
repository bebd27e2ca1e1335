/** Runs a server process from its settings to an orderly shutdown; the caller decides what it serves. */
import cluster from 'node:cluster';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { type Logger, pino } from 'pino';
import { loadSettings, type Settings, SettingsError } from '../../config/settings.ts';
import { warnOfReadableFiles } from './secrets/readable-files.ts';
import { WORKER_READY } from './workers/worker-processes.ts';

/** How long an end may go on in which something was thrown, in milliseconds: what waits for that would wait for ever. */
const FAULTY_END_MS = 15_000;

/** A started server. */
export interface Running {
  /** Base URL of what it serves. */
  readonly origin: string;
  /** Text that the operator must see once, or null. */
  readonly announcement: string | null;
  /** Reads the configuration again; logs the outcome, never rejects. */
  reload(reason: string): Promise<unknown>;
  /** Replaces its workers one by one, where it has some; never rejects. */
  restart?(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts, announces, reloads on SIGHUP, replaces workers on SIGUSR2, and ends on SIGTERM or SIGINT (at once while starting); exits with 1 if the start fails.
 * `defaults` are for unset settings whose defaults differ from those of the gateway.
 */
export async function runProcess(
  start: (settings: Settings, logger: Logger) => Promise<Running>,
  defaults: Readonly<Record<string, string>> = {},
): Promise<void> {
  // Only this user may access whatever a store or library creates in DATA_DIR.
  process.umask(0o077);
  const settings = readSettings(defaults);
  const logger = pino({ level: settings.logLevel }, pino.destination(2));
  let running: Running | null = null;
  let ending = false;
  let exitCode = 0;
  process.on('uncaughtException', (fault) => {
    logger.fatal({ err: fault }, 'uncaught');
    if (running === null || !ending) process.exit(1);
    exitCode = 1;
    setTimeout(() => process.exit(1), FAULTY_END_MS).unref();
  });

  const startedOnTerminal = hasTerminal();
  // Signals that come before the start is done take effect after it: without a handler they would end the process.
  process.on('SIGHUP', async (signal) => {
    const { reload } = await starting;
    // SIGHUP also means that the terminal is gone, which ends processes started on it.
    if (startedOnTerminal && !hasTerminal()) await end(signal);
    else await reload(signal);
  });
  process.on('SIGUSR2', async (signal) => {
    const { restart } = await starting;
    // A signal to all processes of a service is meant for the first one; without a handler it would end the others at once.
    if (restart) await restart();
    else logger.info({ signal }, 'this process has no workers to replace');
  });

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (ending) return;
    ending = true;
    logger.info({ signal }, 'ending');
    // Nothing is served yet, and stores recover from a crash. Without a handler the signal would not end process 1 of a container.
    if (running === null) process.exit(128 + constants.signals[signal]);
    await running.close();
    process.exit(exitCode);
  }
  process.on('SIGTERM', end);
  process.on('SIGINT', end);

  async function begin(): Promise<Running> {
    // Workers would repeat what their first process logged.
    if (cluster.isPrimary) await warnOfReadableFiles(settings, logger);
    return start(settings, logger);
  }
  const starting = begin().catch(fail);
  running = await starting;

  // The first process reports where all its workers listen.
  if (cluster.isWorker) {
    process.send?.(WORKER_READY);
    return;
  }
  // From this line on, signals may be sent.
  if (running.announcement !== null) process.stdout.write(`${running.announcement}\n`);
  process.stdout.write(`Tidegate listens on ${running.origin}\n`);
}

/** Whether the process has a controlling terminal that still exists. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/** Prints why the start failed, without a stack trace: the message tells an operator more. */
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
