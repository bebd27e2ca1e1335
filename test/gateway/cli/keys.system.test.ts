/** Holds `tidegate keys` to contract.md section 8: over the store, over a running server, its output and exit codes. */

import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { createAdministration } from '../../../gateway/administration/operations.ts';
import { ADMINISTRATION_ROUTES } from '../../../gateway/administration/routes.ts';
import { type OperatorServer, startOperatorServer } from '../../../gateway/administration/server.ts';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import { hashApiKey, isWellFormedApiKey } from '../../../services/shared/credentials/api-key-text.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import { createIds } from '../../../services/shared/ports/ids.ts';
import {
  createSqliteDocumentStore,
  type SqliteDocumentStore,
} from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { createLogWatch } from '../../support/log-watch.ts';
import { noExport } from '../../support/no-export.ts';
import { noImport } from '../../support/no-import.ts';
import { type CliOutcome, runCli } from '../../support/run-cli.ts';
import { leaveStaleSocket } from '../../support/stale-socket.ts';
import { createTestCleanups } from '../../support/start-cleanups.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { createTestSealer } from '../../support/test-sealer.ts';

const CREATE = [
  'keys',
  'create',
  '--organization',
  'org_one',
  '--name',
  'Server',
  '--scopes',
  'track:events,read:data',
];

describe('tidegate keys', () => {
  // Each case starts processes, which a busy machine starts slowly.
  let dataDir: string;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tidegate-cli-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  const run = (...args: string[]): Promise<CliOutcome> => runCli(args, { DATA_DIR: dataDir });
  const openStore = (): SqliteDocumentStore =>
    createSqliteDocumentStore({ path: dataPathsOf(dataDir).documents, clock: systemClock });

  async function fill(documents: SqliteDocumentStore): Promise<void> {
    for (const id of ['org_one', 'org_two']) {
      await documents.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits: {} });
    }
    const website = { organizationId: 'org_one', name: 'Shop', isPublic: false, settings: {} };
    await documents.websites.insert({ ...website, id: 'web_shop', domain: 'shop.example.com' });
    await documents.websites.insert({ ...website, id: 'web_blog', domain: 'blog.example.com' });
  }

  describe('generate', () => {
    it('prints a well-formed key and its SHA-256 and stores nothing', async () => {
      const { code, out, error } = await run('keys', 'generate');
      const [, key = '', keyHash] = /^key {6}(\S+)\nkeyHash {2}([0-9a-f]{64})\n$/.exec(out) ?? [];
      expect([code, error]).to.deep.equal([0, '']);
      expect(isWellFormedApiKey(key)).to.equal(true);
      expect(key).to.match(/^tg_/);
      expect(keyHash).to.equal(hashApiKey(key));
      expect(readdirSync(dataDir)).to.deep.equal([]);
    });

    it('prints as many as asked, with the prefix asked, as JSON for machines', async () => {
      const { code, out } = await run('keys', 'generate', '--count', '3', '--prefix', 'acme1', '--json');
      const { success, data } = JSON.parse(out) as {
        success: boolean;
        data: { key: string; keyHash: string }[];
      };
      expect([code, success]).to.deep.equal([0, true]);
      expect(new Set(data.map(({ key }) => key)).size).to.equal(3);
      for (const { key, keyHash } of data) {
        expect(key).to.match(/^acme1_/);
        expect([isWellFormedApiKey(key), keyHash]).to.deep.equal([true, hashApiKey(key)]);
      }
    });

    it('uses the prefix of the settings', async () => {
      const { out } = await runCli(['keys', 'generate'], { DATA_DIR: dataDir, KEY_PREFIX: 'own' });
      expect(out).to.match(/^key {6}own_/);
    });
  });

  describe('with a scope that the configuration adds', () => {
    let folder: TempDirectory;
    let documents: SqliteDocumentStore;

    beforeEach(async () => {
      folder = createTempDirectory();
      const file = readFileSync(join(PACKAGE_ROOT, 'config/gateway.config.yml'), 'utf8');
      const listed = '\nscopes:\n  run:orders: { text: Run orders, holders: [keys] }\n';
      writeFileSync(folder.file('gateway.config.yml'), file.replace('\nscopes:\n', listed));
      documents = openStore();
      await fill(documents);
    });
    afterEach(async () => {
      await documents.close();
      folder.remove();
    });

    it('gives it to a key, suggests it, and lists it as unknown where the configuration has it no more', async () => {
      const create = (scope: string) =>
        runCli([...CREATE.slice(0, -1), scope, '--access', 'global', '--json'], {
          DATA_DIR: dataDir,
          CONFIG_DIR: folder.path,
        });
      const made = await create('run:orders');
      expect([made.code, JSON.parse(made.out).data.scopes]).to.deep.equal([0, ['run:orders']]);
      const misspelt = await create('run:order');
      expect(misspelt.code).to.equal(1);
      expect(misspelt.out + misspelt.error)
        .to.include('Unknown scope \\"run:order\\"')
        .and.include('run:orders');
      const listed = await run('keys', 'list');
      expect(listed.out).to.include('run:orders (unknown)');
    });
  });

  for (const way of ['the store', 'the operator socket of a running server'] as const) {
    describe(`over ${way}`, () => {
      let documents: SqliteDocumentStore;
      let server: OperatorServer | undefined;
      const log = createLogWatch();

      beforeEach(async () => {
        documents = openStore();
        await fill(documents);
        if (way === 'the store') return;
        const scopes = () => SHIPPED_CATALOGUE;
        const ports = { documents, ids: createIds(), clock: systemClock, randomBytes, scopes };
        server = await startOperatorServer({
          routes: ADMINISTRATION_ROUTES,
          administration: createAdministration(ports, {
            keyPrefix: 'srv',
            sealer: async () => createTestSealer(),
            plans: async () => ['free'],
            importBatch: noImport,
            exportBatch: noExport,
            cleanups: async () => createTestCleanups(documents, systemClock).cleanups,
          }),
          socketPath: dataPathsOf(dataDir).operatorSocket,
          logger: log.logger,
        });
      });
      afterEach(async () => {
        await server?.close();
        server = undefined;
        await documents.close();
        log.assertClean();
      });

      it('creates a key whose hash is stored and whose text stands nowhere in DATA_DIR', async () => {
        const { code, out, error } = await run(...CREATE, '--access', 'global');
        expect([code, error]).to.deep.equal([0, '']);
        const secret = out.split('\n')[0] ?? '';
        expect(isWellFormedApiKey(secret)).to.equal(true);
        // The prefix is a setting of whoever makes the key.
        expect(secret.startsWith(way === 'the store' ? 'tg_' : 'srv_')).to.equal(true);
        const stored = await documents.apiKeys.findUnique('keyHash', [hashApiKey(secret)]);
        expect(stored).to.deep.include({
          organizationId: 'org_one',
          name: 'Server',
          scopes: ['track:events', 'read:data'],
          access: { level: 'global' },
          expiresAt: null,
          createdBy: 'cli',
        });
        for (const file of readdirSync(dataDir).filter((name) => !name.endsWith('.sock'))) {
          expect(readFileSync(join(dataDir, file)).includes(secret), file).to.equal(false);
        }
      });

      it('creates a website-specific key that expires, and prints JSON for machines', async () => {
        const expires = '2999-01-31T01:00:00+01:00';
        const websites = ['--access', 'website', '--website', 'web_shop', 'web_blog'];
        const { code, out } = await run(...CREATE, ...websites, '--expires', expires, '--json');
        const { success, data } = JSON.parse(out) as { success: boolean; data: Record<string, unknown> };
        expect([code, success]).to.deep.equal([0, true]);
        expect(data).to.deep.include({
          access: { level: 'website', websiteIds: ['web_shop', 'web_blog'] },
          expiresAt: '2999-01-31T00:00:00.000Z',
        });
        expect(await documents.apiKeys.get('org_one', String(data.id))).to.include({
          keyHash: hashApiKey(String(data.secret)),
        });
      });

      it('lists keys with state and access, of one organization when asked, never a text or hash', async () => {
        const made: Record<string, unknown>[] = [];
        for (const access of [['global'], ['website', '--website', 'web_shop']]) {
          made.push(JSON.parse((await run(...CREATE, '--access', ...access, '--json')).out).data);
        }
        const [first, second] = made;
        const revokedAt = '2026-01-01T00:00:00.000Z';
        const revoked = await documents.apiKeys.update('org_one', String(second?.id), 1, { revokedAt });
        const updatedAt = revoked?.updatedAt;

        const { code, out } = await run('keys', 'list');
        expect(code).to.equal(0);
        const [header, ...rows] = out.trimEnd().split('\n');
        expect(header?.split(/ {2,}/)).to.deep.equal([
          'ID',
          'KEY',
          'NAME',
          'ORGANIZATION',
          'STATE',
          'ACCESS',
          'SCOPES',
        ]);
        const shown = `${first?.start}…${first?.last4}`;
        expect(rows.map((row) => row.split(/ {2,}/))).to.deep.equal([
          [first?.id, shown, 'Server', 'org_one', 'active', 'global', 'track:events,read:data'],
          [
            second?.id,
            `${second?.start}…${second?.last4}`,
            'Server',
            'org_one',
            'revoked',
            'web_shop',
            'track:events,read:data',
          ],
        ]);
        const json = await run('keys', 'list', '--organization', 'org_one', '--json');
        const { secret: _, ...view } = first ?? {};
        expect(JSON.parse(json.out)).to.deep.equal({
          success: true,
          data: [view, { ...second, secret: undefined, revokedAt, updatedAt }].map((key) =>
            JSON.parse(JSON.stringify(key)),
          ),
        });
        expect(
          JSON.parse((await run('keys', 'list', '--organization', 'org_two', '--json')).out).data,
        ).to.deep.equal([]);
      });

      it('refuses what the rules forbid with exit code 1, every fault on a line, and stores nothing', async () => {
        const wrong = [
          '--access',
          'website',
          '--website',
          'web_shpo',
          'web_none',
          '--expires',
          '2020-01-01T00:00:00Z',
        ];
        const { code, out, error } = await run(...CREATE, ...wrong);
        expect([code, out]).to.deep.equal([1, '']);
        expect(error.trimEnd().split('\n')).to.deep.equal([
          'expiresAt: 2020-01-01T00:00:00Z has passed. Allowed: an instant to come.',
          'access.websiteIds[0]: The organization has no website "web_shpo". Did you mean "web_shop"?',
          'access.websiteIds[1]: The organization has no website "web_none".',
        ]);
        expect(await documents.apiKeys.all('org_one')).to.deep.equal([]);
      });

      it('refuses an unknown organization with exit code 1 and suggests the nearest, also as JSON', async () => {
        const { code, error } = await run('keys', 'list', '--organization', 'org_onee');
        expect(code).to.equal(1);
        expect(error).to.equal(
          'organization: There is no organization "org_onee". Did you mean "org_one"?\n',
        );
        const json = await run('keys', 'list', '--organization', 'org_onee', '--json');
        expect([json.code, json.out]).to.deep.equal([1, '']);
        expect(JSON.parse(json.error)).to.deep.include({ success: false, code: 'VALIDATION_ERROR' });
      });
    });
  }

  it('opens the store when the socket is that of a dead server', async () => {
    const documents = openStore();
    await fill(documents);
    await documents.close();
    await leaveStaleSocket(dataPathsOf(dataDir).operatorSocket);
    expect((await run(...CREATE, '--access', 'global')).code).to.equal(0);
  });

  it('refuses with exit code 1 when there is no store, and makes none', async () => {
    for (const args of [
      ['keys', 'list'],
      [...CREATE, '--access', 'global'],
    ]) {
      const { code, out, error } = await run(...args);
      expect([code, out]).to.deep.equal([1, '']);
      expect(error).to.equal(
        `there is no store in ${dataDir}: start the server once, or set DATA_DIR to the folder of its data\n`,
      );
    }
    expect(existsSync(dataPathsOf(dataDir).documents)).to.equal(false);
  });
});
