/** Starts fastify with its plugins for proxying and rate limits as a target, from a lock file of its own. */
import path from 'node:path';
import { IDENTITY_HEADER } from '../../services/shared/identity/identity-token.ts';
import { freePort } from '../support/free-port.ts';
import { untilReady } from './bench-processes.ts';
import { installFolder } from './install-folder.ts';
import type { RunningTarget, TargetContext } from './target.ts';
import { UNREACHED_LIMIT } from './tidegate-target.ts';

const FOLDER = 'test/bench/fastify-reply-from';
/** As long as a signed identity of Tidegate; a peer passes a fixed one on. */
export const PEER_IDENTITY = 'i'.repeat(500);

/** Starts it, installed before when it is not there. @throws MissingRequirement when that fails */
export async function startFastifyTarget(context: TargetContext): Promise<RunningTarget> {
  await installFolder({ ...context, folder: FOLDER, title: 'fastify' });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = path.join(context.root, FOLDER, 'start.mjs');
  const running = await context.processes.start(process.execPath, [...context.nodeArguments, program], {
    processor: context.processor,
    env: {
      NODE_ENV: 'production',
      PORT: String(port),
      UPSTREAM_URL: context.upstreamUrl,
      API_KEY: context.apiKey,
      LIMIT: String(UNREACHED_LIMIT),
      IDENTITY_HEADER,
      IDENTITY: PEER_IDENTITY,
    },
  });
  await untilReady(`${url}/v1/query/websites`, running, { 'x-api-key': context.apiKey });
  return { name: 'fastify', url, process: running, keylessStatus: 401, tellsLimits: true };
}
