/** Starts stock express-gateway as a target, from a lock file of its own: the project's `overrides` change what it runs on. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../support/free-port.ts';
import { untilReady } from './bench-processes.ts';
import { MissingRequirement, type RunningTarget, type TargetContext } from './target.ts';

const FOLDER = 'test/bench/stock-express-gateway';

/** Installs it when it is not there yet. @throws MissingRequirement when that fails. */
export async function installStockTarget(context: Pick<TargetContext, 'processes' | 'root'>): Promise<void> {
  const cwd = path.join(context.root, FOLDER);
  if (existsSync(path.join(cwd, 'node_modules/express-gateway'))) return;
  console.error(`installing stock express-gateway into ${FOLDER} (once) …`);
  try {
    await context.processes.run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      processor: null,
      cwd,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MissingRequirement(
      `stock express-gateway could not be installed; run "npm ci --ignore-scripts" in ${FOLDER}, or leave it out with --targets bare,tidegate.\n${reason}`,
    );
  }
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
