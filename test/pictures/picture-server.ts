/** The server whose pages are pictured: made-up organizations on a fixed day, with sample events of a fixed seed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { generateEvents } from '../sample/generate-events.ts';
import { runCliProcess } from '../support/run-cli.ts';
import { startTidegate } from '../support/start-tidegate.ts';
import { makeDefinitions } from './picture-definitions.ts';
import { followLinks, LINKS } from './picture-links.ts';

/** When every picture is taken. */
export const MOMENT = Date.parse('2026-06-18T14:20:00Z');

const PASSWORD = 'correct horse';
export const USERS = {
  owner: { email: 'mara@lighthouse.example', password: PASSWORD },
  /** Of an organization without websites. */
  newcomer: { email: 'ada@newcomer.example', password: PASSWORD },
  /** Of both organizations. */
  agency: { email: 'press@agency.example', password: PASSWORD },
};
export const WEBSITE = 'web_shop';

const AGE_MS = 45 * 86_400_000;
const SEED = 18;
const EVENTS = 60_000;
const DAYS = 45;
/** The busiest first. */
const WEBSITES = [
  { id: WEBSITE, name: 'Lighthouse Books', domain: 'books.lighthouse.example' },
  { id: 'web_docs', name: 'Help centre', domain: 'help.lighthouse.example' },
  { id: 'web_blog', name: 'Reading notes', domain: 'notes.lighthouse.example' },
  { id: 'web_events', name: 'Readings and events', domain: 'events.lighthouse.example' },
  { id: 'web_club', name: 'Book club', domain: 'club.lighthouse.example' },
  { id: 'web_press', name: 'Press', domain: 'press.lighthouse.example' },
  { id: 'web_jobs', name: 'Jobs', domain: 'jobs.lighthouse.example' },
];
/** No event has come yet. */
const SILENT = { id: 'web_new', name: 'Gift cards', domain: 'gifts.lighthouse.example' };

/** Keys of no installation: their random part is one character over and over. */
const keyOf = (byte: number) => createApiKeyText('tg', (size) => new Uint8Array(size).fill(byte));
const READER = { scopes: ['read:data'], access: { level: 'global' } };

const PROVISIONING = {
  organizations: [
    {
      ...{ id: 'org_lighthouse', name: 'Lighthouse Books', plan: 'scale' },
      limits: { per10Seconds: 5_000, perMinute: 20_000, batchDatasetsPerMinute: 100_000 },
      users: [
        { ...USERS.owner, role: 'owner', operator: true },
        { email: 'jonas@lighthouse.example', password: PASSWORD, role: 'admin' },
        { email: 'ines@lighthouse.example', password: PASSWORD, role: 'member' },
        { ...USERS.agency, role: 'viewer' },
      ],
      websites: [...WEBSITES, SILENT],
      links: LINKS,
      apiKeys: [
        {
          ...{ id: 'key_server', name: 'Shop server', key: keyOf(10) },
          ...{ scopes: ['track:events'], access: { level: 'website', websiteIds: [WEBSITE] } },
        },
        { ...READER, id: 'key_reports', name: 'Weekly report', key: keyOf(25) },
        {
          ...READER,
          id: 'key_trial',
          name: 'Trial',
          key: keyOf(40),
          expiresAt: '2026-06-24T00:00:00Z',
        },
        { ...READER, id: 'key_old', name: 'Old importer', key: keyOf(55), enabled: false },
      ],
      flags: [
        { id: 'flg_wishlist', key: 'wishlist', name: 'Wish list', defaultValue: true },
        {
          ...{ id: 'flg_checkout', key: 'one-page-checkout', name: 'One-page checkout', websiteId: WEBSITE },
          ...{ description: 'Address and payment on one page', type: 'rollout', rolloutPercentage: 25 },
          dependencies: ['wishlist'],
        },
        {
          ...{ id: 'flg_cover', key: 'cover-size', name: 'Size of covers', websiteId: WEBSITE },
          ...{ type: 'multivariant', dependencies: ['wishlist'] },
          rules: [
            {
              ...{ type: 'email', operator: 'ends_with', enabled: false, batch: true },
              batchValues: ['@lighthouse.example', '@agency.example'],
            },
            { type: 'property', operator: 'equals', field: 'plan', value: 'club', enabled: true },
          ],
          variants: [
            { key: 'small', type: 'number', value: 120, weight: 50 },
            { key: 'large', type: 'number', value: 240, weight: 50 },
          ],
        },
        { id: 'flg_snow', key: 'snow', name: 'Snow in December', status: 'archived' },
      ],
    },
    {
      ...{ id: 'org_newcomer', name: 'Newcomer', plan: 'free' },
      users: [
        { ...USERS.newcomer, role: 'owner' },
        { ...USERS.agency, role: 'admin' },
      ],
    },
  ],
};

export interface PictureServer {
  /** On localhost, where browsers keep sessions. */
  readonly origin: string;
  close(): Promise<void>;
}

export async function startPictureServer(): Promise<PictureServer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tidegate-pictures-'));
  const provisionFile = join(dataDir, 'pictures.yml');
  writeFileSync(provisionFile, JSON.stringify(PROVISIONING), { mode: 0o600 });
  // Organizations and keys are some weeks old; from the moment on it runs, so that limits are windows here too.
  let started: number | undefined;
  let before = MOMENT - AGE_MS;
  const clock = {
    now: () => (started === undefined ? before : MOMENT + Date.now() - started),
  };
  const server = await startTidegate({
    dataDir,
    clock,
    settings: { PROVISION_FILE: provisionFile },
  });
  await followLinks(server, MOMENT, (now) => {
    before = now;
  });
  started = Date.now();
  await makeDefinitions(server, USERS.owner, WEBSITE);
  await importSample(dataDir);
  return {
    origin: server.origin.replace('127.0.0.1', 'localhost'),
    async close() {
      await server.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function importSample(dataDir: string): Promise<void> {
  const websites = WEBSITES.map((website, rank) => ({ ...website, share: 1 / (rank + 1) }));
  const sample = generateEvents({ events: EVENTS, days: DAYS, end: MOMENT, websites, seed: SEED });
  const file = join(dataDir, 'sample.ndjson');
  writeFileSync(file, [...sample].map((event) => `${JSON.stringify(event)}\n`).join(''));
  const { code, error } = await runCliProcess(['import', file, '--website', WEBSITE, '--max-faults', '0'], {
    DATA_DIR: dataDir,
    PATH: process.env.PATH ?? '',
  });
  if (code !== 0) throw new Error(`the sample could not be imported: ${error}`);
}
