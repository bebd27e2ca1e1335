/** Starts Tidegate for the links bench: as shipped, or as a gateway alone before the bench's upstream. */
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { freePort } from '../support/free-port.ts';
import { type BenchProcesses, type RunningProcess, untilReady } from './bench-processes.ts';
import { MissingRequirement } from './target.ts';
import { redirectServices } from './tidegate-target.ts';

const PROGRAM = 'dist/gateway/main.js';
/** Far above any load of the bench. */
const UNREACHED_LIMIT = 1_000_000_000;
/** As `npm start` has it (config/node.env). */
const UV_THREADPOOL_SIZE = '16';

export const LINK = {
  id: 'lnk_bench',
  slug: 'bench-link',
  targetUrl: 'https://example.com/landing',
} as const;

export interface LinkTarget {
  readonly url: string;
  readonly process: RunningProcess;
  /** Reads analytics of the link. */
  readonly key: string;
}

export interface LinkTargetOptions {
  readonly processes: BenchProcesses;
  /** Root of the project. */
  readonly root: string;
  /** A folder of its own. */
  readonly folder: string;
  readonly processor: number | null;
  /** Answers in place of every service; null: the services themselves do. */
  readonly upstreamUrl: string | null;
}

/** Starts it and waits until it is ready. @throws MissingRequirement before a build */
export async function startLinkTarget(options: LinkTargetOptions): Promise<LinkTarget> {
  const { root, folder, upstreamUrl } = options;
  const program = path.join(root, PROGRAM);
  if (!existsSync(program)) throw new MissingRequirement(`${PROGRAM} is missing; run "npm run build" first.`);
  const configFolder = path.join(folder, 'config');
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(root, 'config'), configFolder, {
    recursive: true,
    filter: (file) => !file.endsWith('.ts'),
  });
  if (upstreamUrl !== null) {
    const file = path.join(configFolder, 'gateway.config.yml');
    writeFileSync(file, redirectServices(readFileSync(file, 'utf8'), upstreamUrl));
  }
  const key = createApiKeyText('bench', randomBytes);
  const provisionFile = path.join(folder, 'provision.yml');
  writeFileSync(provisionFile, provisioning(key), { mode: 0o600 });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const running = await options.processes.start(process.execPath, [program], {
    processor: options.processor,
    cwd: root,
    env: {
      NODE_ENV: 'production',
      UV_THREADPOOL_SIZE,
      HOST: '127.0.0.1',
      PORT: String(port),
      CONFIG_DIR: configFolder,
      DATA_DIR: path.join(folder, 'data'),
      PROVISION_FILE: provisionFile,
      LOG_LEVEL: 'error',
    },
  });
  await untilReady(`${url}/health`, running);
  return { url, process: running, key };
}

function provisioning(key: string): string {
  const access = { level: 'global' };
  return JSON.stringify({
    organizations: [
      {
        id: 'org_bench',
        name: 'Bench',
        plan: 'scale',
        limits: { publicPerMinute: UNREACHED_LIMIT },
        apiKeys: [{ id: 'key_bench', name: 'Bench key', key, scopes: ['read:links'], access }],
        links: [{ ...LINK, name: 'Bench link' }],
      },
    ],
  });
}
