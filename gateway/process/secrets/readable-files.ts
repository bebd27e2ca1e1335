/** Warns at startup about files with secrets that other users of the machine may read, and says how to fix them. */
import { stat } from 'node:fs/promises';
import { platform } from 'node:process';
import type { Logger } from 'pino';
import type { Settings } from '../../../config/settings.ts';
import { othersMayRead } from './secrets.ts';

/**
 * Checks DATA_DIR and the files named by PROVISION_FILE and SECRETS_FILE before startup creates what is missing. The
 * start continues, except in a process that reads a secrets file others may read (`secrets.ts`). Windows has no mode
 * bits. Never rejects.
 */
export async function warnOfReadableFiles(
  { dataDir, provisionFile, secretsFile }: Pick<Settings, 'dataDir' | 'provisionFile' | 'secretsFile'>,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  if (platform === 'win32') return;
  await Promise.all([
    warn('DATA_DIR', dataDir, '700', logger),
    warn('PROVISION_FILE', provisionFile, '600', logger),
    warn('SECRETS_FILE', secretsFile, '600', logger),
  ]);
}

async function warn(
  setting: string,
  path: string | null,
  wanted: string,
  logger: Pick<Logger, 'warn'>,
): Promise<void> {
  // A missing file is created for this user alone, or stops the start with an error of its own.
  const found = path === null ? null : await stat(path).catch(() => null);
  if (found === null || !othersMayRead(found, process.getuid?.() ?? found.uid)) return;
  const mode = (found.mode & 0o777).toString(8).padStart(3, '0');
  logger.warn(
    { setting, path, mode },
    `${setting}=${path} may be read by other users of this machine (mode ${mode}): run chmod ${wanted} '${path}'`,
  );
}
