/** Leaves behind the socket of a server that was killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Resolves when `path` is a socket on which nobody listens. */
export async function leaveStaleSocket(path: string): Promise<void> {
  const script = "require('net').createServer().listen(process.argv[1], () => process.stdout.write('up'))";
  const child = spawn(process.execPath, ['-e', script, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}
