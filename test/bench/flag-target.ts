/** Starts Tidegate for the flags bench, embedded and as shipped, with the flags that it evaluates. */
import { writeFileSync } from 'node:fs';
import { Pool } from 'undici';
import { startProcess } from '../support/gateway-process.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

export const FLAGS = 100;
/** Of the load. */
export const CONNECTIONS = 8;
/** What a caller tells of itself. */
export const PROPERTIES = JSON.stringify({ plan: 'free', seats: 12, country: 'DE' });

export interface FlagTarget {
  readonly pid: number;
  /** Has all flags evaluated for one user. @throws Error when the answer holds not all of them */
  askAll(userId: string): Promise<void>;
  close(): Promise<void>;
}

/** Fields of the flags as a file names them: a quarter each of rules, rollouts, weighted variants, and dependants. */
export const fieldsOf = (i: number) => ({
  ...{
    id: `flg_${i}`,
    key: `flag-number-${i}`,
    websiteId: 'web_bench',
    payload: { columns: i, label: 'some text' },
  },
  ...[
    {
      rules: [
        { type: 'email', operator: 'ends_with', value: '@example.net', enabled: true },
        {
          type: 'user_id',
          operator: 'in',
          values: Array.from({ length: 500 }, (_, n) => `user-${n * 7}`),
          enabled: true,
        },
        { type: 'property', operator: 'equals', field: 'plan', value: 'pro', enabled: false },
      ],
    },
    { type: 'rollout', rolloutPercentage: i },
    {
      type: 'multivariant',
      variants: ['a', 'b', 'c', 'd'].map((key) => ({
        key,
        value: `value ${key}`,
        type: 'string',
        weight: 25,
      })),
    },
    { defaultValue: true, dependencies: [`flag-number-${i - 1}`, `flag-number-${i - 2}`] },
  ][i % 4],
});

/** Starts it with an organization whose public limit the bench does not reach. */
export async function startFlagTarget(): Promise<FlagTarget> {
  const directory = createTempDirectory();
  const PROVISION_FILE = directory.file('provision.yml');
  const organization = {
    ...{ id: 'org_bench', name: 'Bench', plan: 'scale', limits: { publicPerMinute: 1_000_000 } },
    websites: [{ id: 'web_bench', name: 'Bench', domain: 'bench.example.com' }],
    flags: Array.from({ length: FLAGS }, (_, i) => fieldsOf(i)),
  };
  writeFileSync(PROVISION_FILE, JSON.stringify({ organizations: [organization] }), { mode: 0o600 });
  const server = await startProcess('main', { DATA_DIR: directory.path, PROVISION_FILE });
  const pool = new Pool(server.origin, { connections: CONNECTIONS });
  return {
    pid: Number(server.child.pid),
    async askAll(userId) {
      const query = new URLSearchParams({ clientId: 'web_bench', userId, properties: PROPERTIES });
      const answer = await pool.request({ method: 'GET', path: `/public/v1/flags/bulk?${query}` });
      const body = (await answer.body.json()) as { count?: number };
      if (body.count !== FLAGS)
        throw new Error(`${answer.statusCode}: ${JSON.stringify(body).slice(0, 200)}`);
    },
    async close() {
      await pool.close();
      await server.end('SIGTERM');
      directory.remove();
    },
  };
}
