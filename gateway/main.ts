/** `npm start`: the embedded server, from settings to an orderly end. */
import { pino } from 'pino';
import { loadSettings, type Settings, SettingsError } from '../config/settings.ts';
import { type EmbeddedServer, startEmbedded } from './embedded.ts';

/** Says what stops the start, and nothing else: a stack tells an operator less than the fault's own words. */
function fail(fault: unknown): never {
  process.stderr.write(`tidegate cannot start: ${fault instanceof Error ? fault.message : String(fault)}\n`);
  process.exit(1);
}

function readSettings(): Settings {
  try {
    return loadSettings();
  } catch (fault) {
    if (fault instanceof SettingsError) fail(fault);
    throw fault;
  }
}

// Whatever a store or library creates in DATA_DIR is for this user alone.
process.umask(0o077);
const settings = readSettings();
const logger = pino({ level: settings.logLevel }, pino.destination(2));
process.on('uncaughtException', (fault) => {
  logger.fatal({ err: fault }, 'uncaught');
  process.exit(1);
});

const server: EmbeddedServer = await startEmbedded(settings, logger).catch(fail);
if (server.announcement !== null) process.stdout.write(`${server.announcement}\n`);
process.stdout.write(`Tidegate listens on ${server.origin}\n`);

let ending = false;
async function end(signal: NodeJS.Signals): Promise<void> {
  if (ending) return;
  ending = true;
  logger.info({ signal }, 'ending');
  await server.close();
  process.exit(0);
}
process.on('SIGTERM', end);
process.on('SIGINT', end);
// The terminal is gone.
process.on('SIGHUP', end);
