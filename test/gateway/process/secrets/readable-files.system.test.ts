/** What a start warns of: a folder or file with secrets that other users of the machine may read. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { warnOfReadableFiles } from '../../../../gateway/process/secrets/readable-files.ts';
import { startProcess } from '../../../support/gateway-process.ts';
import { createLogWatch } from '../../../support/log-watch.ts';

describe('files that others may read', () => {
  let folder: string;
  before(function () {
    if (process.platform === 'win32') this.skip();
    folder = mkdtempSync(join(tmpdir(), 'tidegate-readable-'));
  });
  after(() => rmSync(folder ?? '', { recursive: true, force: true }));

  /** A path of this mode, or null for none there. */
  function make(name: string, mode: number, kind: 'folder' | 'file'): string {
    const path = join(folder, name);
    rmSync(path, { recursive: true, force: true });
    if (kind === 'folder') mkdirSync(path);
    else writeFileSync(path, 'organizations: []\n');
    chmodSync(path, mode);
    return path;
  }
  async function warnings(settings: {
    dataDir: string;
    provisionFile?: string;
    secretsFile?: string;
  }): Promise<string[]> {
    const { logger, lines } = createLogWatch();
    await warnOfReadableFiles({ provisionFile: null, secretsFile: null, ...settings }, logger);
    return lines.map((line) => JSON.parse(line).msg as string).sort();
  }

  it('are told by setting, path and mode, with the command that mends it', async () => {
    const dataDir = make('data', 0o755, 'folder');
    const provisionFile = make('provision.yml', 0o640, 'file');
    const secretsFile = make('secrets.json', 0o604, 'file');
    expect(await warnings({ dataDir, provisionFile, secretsFile })).to.deep.equal([
      `DATA_DIR=${dataDir} may be read by other users of this machine (mode 755): run chmod 700 '${dataDir}'`,
      `PROVISION_FILE=${provisionFile} may be read by other users of this machine (mode 640): run chmod 600 '${provisionFile}'`,
      `SECRETS_FILE=${secretsFile} may be read by other users of this machine (mode 604): run chmod 600 '${secretsFile}'`,
    ]);
  });

  it('are no matter where only this user may read, or nothing is there yet', async () => {
    const dataDir = make('data', 0o700, 'folder');
    const provisionFile = make('provision.yml', 0o400, 'file');
    expect(await warnings({ dataDir, provisionFile })).to.deep.equal([]);
    expect(await warnings({ dataDir: join(folder, 'nothing') })).to.deep.equal([]);
  });

  it('are warned of by a server that starts, and by none whose folder it made itself', async () => {
    const provisionFile = make('provision.yml', 0o644, 'file');
    const server = await startProcess('main', {
      DATA_DIR: join(folder, 'made'),
      PROVISION_FILE: provisionFile,
    });
    try {
      expect(server.output()).to.include(`run chmod 600 '${provisionFile}'`);
      expect(server.output()).to.not.include('DATA_DIR=');
    } finally {
      await server.end('SIGTERM');
    }
  });
});
