/** Starts Tidegate for the dashboard bench: the server as shipped, three websites, and a month of sample events of a fixed seed. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { generateEvents } from '../sample/generate-events.ts';
import type { BenchProcesses } from './bench-processes.ts';
import { startEmbedded } from './tidegate-process.ts';

export const OWNER = { email: 'owner@example.com', password: 'correct horse' };

const WEBSITES = [
  { id: 'web_shop', name: 'Shop', domain: 'shop.example.com' },
  { id: 'web_docs', name: 'Documentation', domain: 'docs.example.com' },
  { id: 'web_blog', name: 'Blog', domain: 'blog.example.com' },
];
/** The website whose overview is measured. */
export const MEASURED_WEBSITE = 'web_shop';
const DAYS = 30;
const SEED = 15;

/** Limits that repeated runs do not reach. */
const UNREACHED = 1_000_000;

export interface DashboardTargetOptions {
  readonly processes: BenchProcesses;
  /** Root of the project. */
  readonly root: string;
  /** Of the run, for the stores and the sample. */
  readonly folder: string;
  readonly events: number;
}

/** Its address on localhost, where browsers keep sessions. @throws MissingRequirement before a build */
export async function startDashboardTarget(options: DashboardTargetOptions): Promise<string> {
  const { processes, root, folder, events } = options;
  const organization = {
    ...{ id: 'org_bench', name: 'Bench', plan: 'scale' },
    limits: { per10Seconds: UNREACHED, perMinute: UNREACHED },
    users: [{ ...OWNER, role: 'owner' }],
    websites: WEBSITES,
  };
  const provisioning = JSON.stringify({ organizations: [organization] });
  const { url } = await startEmbedded({ processes, root, folder, provisioning, processor: null });
  const file = path.join(folder, 'sample.ndjson');
  const websites = WEBSITES.map((website, rank) => ({ ...website, share: 1 / (rank + 1) }));
  // Up to now: the websites page shows the last 24 hours.
  const sample = generateEvents({ events, days: DAYS, end: Date.now(), websites, seed: SEED });
  writeFileSync(file, [...sample].map((event) => `${JSON.stringify(event)}\n`).join(''));
  const command = path.join(root, 'dist/gateway/cli/main.js');
  const importing = [command, 'import', file, '--website', MEASURED_WEBSITE, '--max-faults', '0'];
  const env = { PATH: process.env.PATH ?? '', DATA_DIR: path.join(folder, 'data') };
  await processes.run(process.execPath, importing, { processor: null, env });
  return url.replace('127.0.0.1', 'localhost');
}
