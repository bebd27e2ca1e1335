/** Starts Tidegate as a target: the shipped gateway and configuration, all services at the upstream. */
import type { RunningTarget, TargetContext } from './target.ts';
import { startGatewayAlone } from './tidegate-process.ts';

/** Far above any load of the bench, so that every request is counted in both windows and none is refused. */
export const UNREACHED_LIMIT = 100_000_000;

/** One organization with limits that the bench does not reach, and one key with the two scopes that it needs. */
export function provisioning(apiKey: string): string {
  return JSON.stringify({
    organizations: [
      {
        id: 'org_bench',
        name: 'Bench',
        plan: 'scale',
        limits: { per10Seconds: UNREACHED_LIMIT, perMinute: UNREACHED_LIMIT },
        websites: [{ id: 'web_bench', name: 'Bench website', domain: 'bench.example.com' }],
        apiKeys: [
          {
            id: 'key_bench',
            name: 'Bench key',
            key: apiKey,
            scopes: ['read:data', 'track:events'],
            access: { level: 'global' },
          },
        ],
      },
    ],
  });
}

export async function startTidegateTarget(context: TargetContext): Promise<RunningTarget> {
  const running = await startGatewayAlone({ ...context, provisioning: provisioning(context.apiKey) });
  return { name: 'tidegate', ...running, keylessStatus: 401, tellsLimits: true };
}
