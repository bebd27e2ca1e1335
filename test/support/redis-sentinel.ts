/** A master of Redis with a replica and a Sentinel that makes the replica the master when the first is gone. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import { startRedis } from './redis-server.ts';

export interface TestSentinel {
  /** Names the Sentinel and the master. */
  readonly url: string;
  /** Ends the master at once; what it was told before has reached the replica, which stays one for now. */
  killMaster(): Promise<void>;
  /** Lets the replica become the master. */
  succeed(): Promise<void>;
  close(): Promise<void>;
}

const PASSWORD = 'secret-of-redis';
const SENTINEL_PASSWORD = 'secret-of-sentinel';

/** Starts them; `user` is the Sentinel's user that the address names, as a line of its configuration with `PASSWORD`. */
export async function startSentinel(user: string): Promise<TestSentinel> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-sentinel-'));
  const login = [
    '--dir',
    folder,
    '--requirepass',
    PASSWORD,
    '--masterauth',
    PASSWORD,
    '--repl-diskless-sync-delay',
    '0',
  ];
  const master = await startRedis(login);
  const replica = await startRedis([...login, '--replicaof', `127.0.0.1 ${master.port}`]);
  const port = await freePort();
  const file = join(folder, 'sentinel.conf');
  writeFileSync(
    file,
    `port ${port}
bind 127.0.0.1
requirepass ${PASSWORD}
${user.replace('PASSWORD', SENTINEL_PASSWORD)}
sentinel monitor counters 127.0.0.1 ${master.port} 1
sentinel auth-pass counters ${PASSWORD}
sentinel down-after-milliseconds counters 60000
sentinel failover-timeout counters 3000
`,
  );
  const control = new Redis(master.port, '127.0.0.1', { password: PASSWORD });
  control.on('error', () => {});
  while (!(await control.info('replication')).includes('state=online')) await turn();
  const child = spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' });
  const asked = new Redis(port, '127.0.0.1', { password: PASSWORD });
  asked.on('error', () => {});
  while (((await asked.call('SENTINEL', 'replicas', 'counters')) as unknown[]).length === 0) await turn();

  return {
    url: `redis-sentinel://:${PASSWORD}@127.0.0.1:${port}/counters?sentinelUser=tidegate&sentinelPassword=${SENTINEL_PASSWORD}`,
    async killMaster() {
      await control.set('last', '1');
      await control.wait(1, 5_000);
      await master.kill();
    },
    // By its word: a Sentinel that finds out by itself takes no replica that lost its master long ago.
    async succeed() {
      while ((await asked.call('SENTINEL', 'FAILOVER', 'counters').catch(String)) !== 'OK') await turn();
    },
    async close() {
      control.disconnect();
      asked.disconnect();
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await Promise.all([ended, master.kill(), replica.kill()]);
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
