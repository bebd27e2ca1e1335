/** SIGUSR1, by which Node opens its inspector: no program of ours does, and each goes on; structure.test.ts holds that each listens. */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Sandbox } from '../../../services/query/custom/sandbox-process.ts';
import { type ServerProcess, startProcess } from '../../support/gateway-process.ts';

/** How long Node takes at most to open its inspector, in milliseconds; unheard it took 30. */
const PATIENCE_MS = 500;

describe('SIGUSR1', () => {
  let folder: string;
  before(function () {
    if (process.platform === 'win32') this.skip();
    folder = mkdtempSync(join(tmpdir(), 'tidegate-debug-'));
  });
  after(() => rmSync(folder ?? '', { recursive: true, force: true }));

  /** Ports that a process listens on, by the kernel; null where it does not tell. */
  function listening(pid: number): string[] | null {
    if (process.platform !== 'linux') return null;
    const sockets = new Set(
      readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        try {
          return /socket:\[(\d+)\]/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
        } catch {
          return [];
        }
      }),
    );
    return ['tcp', 'tcp6'].flatMap((kind) =>
      readFileSync(`/proc/${pid}/net/${kind}`, 'latin1')
        .split('\n')
        .slice(1)
        .map((line) => line.trim().split(/\s+/))
        .filter(([, , , state, , , , , , inode = '']) => state === '0A' && sockets.has(inode))
        .map(([, local = '']) => local),
    );
  }

  async function expectNoInspector(pid: number, output: () => string): Promise<void> {
    const before = listening(pid);
    process.kill(pid, 'SIGUSR1');
    await delay(PATIENCE_MS);
    expect(output()).to.not.match(/Debugger listening|ws:\/\//);
    expect(listening(pid)).to.deep.equal(before);
  }

  it('opens no inspector in a server, which goes on', async () => {
    let server: ServerProcess | undefined;
    try {
      server = await startProcess('main', { DATA_DIR: join(folder, 'data') });
      await expectNoInspector(server.child.pid ?? 0, server.output);
      expect((await fetch(`${server.origin}/health`)).status).to.equal(200);
    } finally {
      await server?.end('SIGTERM');
    }
  });

  it('opens none in the process of custom queries, which goes on', async () => {
    const sandbox = new Sandbox({ memoryMb: 512, threads: 1 });
    const { signal } = new AbortController();
    try {
      await sandbox.started(signal);
      await expectNoInspector(sandbox.pid ?? 0, () => '');
      const answer = await sandbox.ask({ kind: 'check', sql: 'SELECT count(*) FROM events' }, signal);
      expect(answer.query.views).to.deep.equal(['events']);
    } finally {
      sandbox.kill();
      await sandbox.gone;
    }
  });
});
