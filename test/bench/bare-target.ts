/** Starts the bare undici proxy as a target. */
import path from 'node:path';
import { freePort } from '../support/free-port.ts';
import { untilReady } from './bench-processes.ts';
import type { RunningTarget, TargetContext } from './target.ts';

export async function startBareTarget(context: TargetContext): Promise<RunningTarget> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = path.join(context.root, 'dist/test/bench/bare-proxy.js');
  const running = await context.processes.start(
    process.execPath,
    [...context.nodeArguments, program, String(port), context.upstreamUrl],
    { processor: context.processor, env: { NODE_ENV: 'production' } },
  );
  await untilReady(`${url}/`, running);
  return { name: 'bare', url, process: running };
}
