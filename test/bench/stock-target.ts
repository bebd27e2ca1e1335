/** Starts stock express-gateway as a target, from a lock file of its own: the project's `overrides` change what it runs on. */
import path from 'node:path';
import { freePort } from '../support/free-port.ts';
import { untilReady } from './bench-processes.ts';
import { installFolder } from './install-folder.ts';
import type { RunningTarget, TargetContext } from './target.ts';

const FOLDER = 'test/bench/stock-express-gateway';

/** Installs it when it is not there yet. @throws MissingRequirement when that fails. */
export async function installStockTarget(context: Pick<TargetContext, 'processes' | 'root'>): Promise<void> {
  await installFolder({ ...context, folder: FOLDER, title: 'stock express-gateway' });
}

export async function startStockTarget(context: TargetContext): Promise<RunningTarget> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = path.join(context.root, FOLDER, 'start.cjs');
  const running = await context.processes.start(process.execPath, [...context.nodeArguments, program], {
    processor: context.processor,
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      UPSTREAM_URL: context.upstreamUrl,
      LOG_LEVEL: 'error',
      EG_DISABLE_CONFIG_WATCH: '1',
    },
  });
  await untilReady(`${url}/v1/query/websites`, running);
  return { name: 'stock', url, process: running };
}
