/** `npm start` as a supervisor runs it: who holds npm holds the server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { freePort } from '../../support/free-port.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { until } from '../../support/until.ts';

/** Whether something listens on the port. */
function listensOn(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

describe('npm start', () => {
  const folder = createTempDirectory();
  after(() => folder.remove());

  it('ends the server and frees its port when npm gets SIGTERM', async () => {
    const port = await freePort();
    const child = spawn('npm', ['start'], {
      cwd: PACKAGE_ROOT,
      env: {
        PATH: process.env.PATH,
        HOME: folder.path,
        PORT: `${port}`,
        DATA_DIR: folder.path,
        LOG_LEVEL: 'warn',
        npm_config_update_notifier: 'false',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      // A group of its own, so that what outlives npm can be ended.
      detached: true,
    });
    try {
      let text = '';
      // Read on: nobody may write into a closed pipe.
      child.stdout.on('data', (chunk) => {
        text += chunk;
      });
      await until('it listens', () => text.includes('Tidegate listens on'));
      expect(await listensOn(port)).to.equal(true);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await until('the server ends with npm', async () => !(await listensOn(port)));
      const next = createServer().listen(port, '127.0.0.1');
      await once(next, 'listening');
      next.close();
    } finally {
      endGroup(child.pid);
    }
  });
});

/** Ends whatever is left of the group. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}
