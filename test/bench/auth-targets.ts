/** The two gateways of the auth bench, each a process of its own: with the auth plugin, and with one that judges nothing. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../config/settings.ts';

/** The configuration that is shipped. */
export const SHIPPED_CONFIGURATION = join(PACKAGE_ROOT, 'config');

export interface AuthTarget {
  readonly origin: string;
  /** A key with every scope. */
  readonly key: string;
  /** CPU time that the process used so far, in microseconds. */
  cpu(): Promise<number>;
  close(): Promise<void>;
}

/** Writes the shipped configuration, the auth plugin replaced, to `folder`. */
export function writeNoAuthConfiguration(folder: string): void {
  cpSync(SHIPPED_CONFIGURATION, folder, { recursive: true });
  const file = join(folder, 'system.config.yml');
  const shipped = readFileSync(file, 'utf8');
  const replaced = shipped.replace(
    /\S+\/auth\/manifest\.js/,
    join(import.meta.dirname, 'no-auth/manifest.js'),
  );
  if (replaced === shipped) throw new Error('config/system.config.yml names no auth plugin to replace');
  writeFileSync(file, replaced);
}

/** Starts a gateway before `upstream`. @throws Error when its process ends instead */
export async function startAuthTarget(
  upstream: string,
  configDir: string,
  stderr: 'inherit' | 'ignore' = 'inherit',
): Promise<AuthTarget> {
  const child = fork(join(import.meta.dirname, 'auth-target.js'), [upstream, configDir], {
    stdio: ['ignore', 'ignore', stderr, 'ipc'],
  });
  const { origin, key } = await messageOf<{ origin: string; key: string }>(child);
  return {
    origin,
    key,
    async cpu() {
      child.send('cpu');
      const { cpu } = await messageOf<{ cpu: NodeJS.CpuUsage }>(child);
      return cpu.user + cpu.system;
    },
    async close() {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

/** The next message of the process. @throws Error when it ends without one */
async function messageOf<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController();
  const { signal } = over;
  try {
    const ended = once(child, 'exit', { signal }).then(([code, killedBy]) => {
      throw new Error(`a gateway of the bench ended with ${code ?? killedBy}`);
    });
    const [message] = await Promise.race([once(child, 'message', { signal }), ended]);
    return message as T;
  } finally {
    over.abort();
  }
}
