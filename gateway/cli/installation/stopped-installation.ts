/** Checks that a command may open the files of an embedded installation: they exist, and no server runs. */
import { existsSync } from 'node:fs';
import { type DataPaths, dataPathsOf } from '../../../config/data-directory.ts';
import { probeSocket } from '../../administration/socket.ts';
import { Refusal } from '../refusal.ts';

/**
 * The files of DATA_DIR. @throws Refusal NOT_FOUND when there is no store, CONFLICT while a server answers there; `why`
 * ends the sentence "stop it first: …"
 */
export async function stoppedInstallation(dataDir: string, why: string): Promise<DataPaths> {
  const paths = dataPathsOf(dataDir);
  if ((await probeSocket(paths.operatorSocket)) === 'live') {
    throw new Refusal('CONFLICT', `a server runs in ${dataDir}; stop it first: ${why}`);
  }
  if (!existsSync(paths.documents)) {
    throw new Refusal(
      'NOT_FOUND',
      `there is no store in ${dataDir}: set DATA_DIR to the folder of the server's data`,
    );
  }
  return paths;
}
