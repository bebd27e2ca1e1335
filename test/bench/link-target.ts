/** Starts Tidegate for the links bench: as shipped, or as a gateway alone before the bench's upstream. */
import { randomBytes } from 'node:crypto';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import {
  type RunningTidegate,
  startEmbedded,
  startGatewayAlone,
  type TidegateOptions,
} from './tidegate-process.ts';

/** Far above any load of the bench. */
const UNREACHED_LIMIT = 1_000_000_000;

export const LINK = {
  id: 'lnk_bench',
  slug: 'bench-link',
  targetUrl: 'https://example.com/landing',
} as const;

export interface LinkTarget extends RunningTidegate {
  /** Reads analytics of the link. */
  readonly key: string;
}

export interface LinkTargetOptions
  extends Pick<TidegateOptions, 'processes' | 'root' | 'folder' | 'processor'> {
  /** Answers in place of every service; null: the services themselves do. */
  readonly upstreamUrl: string | null;
}

/** Starts it and waits until it is ready. @throws MissingRequirement before a build */
export async function startLinkTarget(options: LinkTargetOptions): Promise<LinkTarget> {
  const { upstreamUrl, ...place } = options;
  const key = createApiKeyText('bench', randomBytes);
  const common = { ...place, provisioning: provisioning(key) };
  const running = await (upstreamUrl === null
    ? startEmbedded(common)
    : startGatewayAlone({ ...common, upstreamUrl }));
  return { ...running, key };
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
