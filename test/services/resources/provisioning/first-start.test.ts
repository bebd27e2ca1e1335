/** Holds the first start of an empty store to contract.md section 8, on the embedded store. */

import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type FirstStart, firstStart } from '../../../../services/resources/provisioning/first-start.ts';
import { SHIPPED_CATALOGUE } from '../../../../services/shared/access/scope-catalogue.ts';
import { SCOPES } from '../../../../services/shared/access/scopes.ts';
import { hashApiKey } from '../../../../services/shared/credentials/api-key-text.ts';
import { verifyPassword } from '../../../../services/shared/credentials/password.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import {
  createSqliteDocumentStore,
  type SqliteDocumentStore,
} from '../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

describe('first start', () => {
  const clock = createTestClock();
  let directory: string;
  let documents: SqliteDocumentStore;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tidegate-first-start-'));
    documents = createSqliteDocumentStore({ path: join(directory, 'documents.sqlite'), clock });
  });
  afterEach(async () => {
    await documents.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const start = (hasDashboard = true): Promise<FirstStart | null> =>
    firstStart(
      { documents, ids: createIds(), clock, randomBytes, scopes: () => SHIPPED_CATALOGUE },
      { baseUrl: 'http://localhost:8080', keyPrefix: 'tg', hasDashboard },
    );
  async function made(): Promise<FirstStart> {
    const first = await start();
    if (!first) throw new Error('nothing was made');
    return first;
  }
  /** The arguments that a shell gives curl for a line. */
  function argumentsOf(line: string): string[] {
    const script = `curl() { printf '%s\\n' "$@"; }; ${line}`;
    return execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' }).trim().split('\n');
  }

  it('makes an organization of plan free, its owner, a website and a key with all scopes and global access', async () => {
    const first = await made();
    expect(await documents.allOrganizations()).to.have.length(1);
    expect(await documents.organizations.get(first.organizationId, first.organizationId)).to.include({
      plan: 'free',
    });
    const user = await documents.users.findUnique('emailHome', [first.email, '*']);
    expect(await verifyPassword(user?.passwordHash ?? '', first.password)).to.equal(true);
    const role = await documents.memberships.findUnique('organizationUser', [
      first.organizationId,
      user?.id ?? '',
    ]);
    expect(role).to.include({ role: 'owner' });
    expect(await documents.websites.get(first.organizationId, first.websiteId)).to.include({
      domain: 'example.com',
    });
    expect(await documents.apiKeys.findUnique('keyHash', [hashApiKey(first.key)])).to.deep.include({
      organizationId: first.organizationId,
      scopes: [...SCOPES],
      access: { level: 'global' },
      enabled: true,
      revokedAt: null,
      expiresAt: null,
    });
  });

  it('names no address of pages where none are served', async () => {
    const first = await start(false);
    expect(first?.text)
      .to.include('Track an event:')
      .and.to.not.match(/dashboard/i);
  });

  it('prints the secrets, which nothing stored repeats', async () => {
    const first = await made();
    expect(first.text).to.include(first.key).and.include(first.password).and.include(first.websiteId);
    expect(first.text.split('\n')).to.include('http://localhost:8080/dashboard');
    await documents.close();
    for (const file of readdirSync(directory)) {
      const bytes = readFileSync(join(directory, file));
      expect(bytes.includes(first.key), file).to.equal(false);
      expect(bytes.includes(first.password), file).to.equal(false);
    }
  });

  it('prints two lines for a shell: one tracks an event of the website, one queries it', async () => {
    const first = await made();
    const lines = first.text.split('\n').filter((line) => line.startsWith('curl'));
    expect(lines).to.have.length(2);
    const [track = [], query = []] = lines.map(argumentsOf);
    for (const line of [track, query]) {
      expect(line).to.include(`x-api-key: ${first.key}`).and.include('Content-Type: application/json');
    }
    expect(track).to.include('http://localhost:8080/track');
    expect(JSON.parse(track.at(-1) ?? '')).to.deep.equal({
      name: 'screen_view',
      websiteId: first.websiteId,
      anonymousId: 'visitor-1',
      sessionId: 'session-1',
      path: '/welcome',
    });
    expect(query).to.include(`http://localhost:8080/v1/query?website_id=${first.websiteId}`);
    expect(JSON.parse(query.at(-1) ?? '')).to.deep.equal({
      parameters: ['summary_metrics', 'pages'],
      preset: 'today',
    });
  });

  it('does nothing when there is an organization', async () => {
    await made();
    const before = await documents.changes();
    expect(await start()).to.equal(null);
    expect(await documents.changes()).to.equal(before);
  });

  it('is made again in full after it was interrupted', async () => {
    const { insert } = documents.organizations;
    documents.organizations.insert = () => Promise.reject(new Error('the power went'));
    const outcome = await start().catch((error: unknown) => error);
    expect(outcome).to.have.property('message', 'the power went');
    documents.organizations.insert = insert.bind(documents.organizations);
    const first = await made();
    const user = await documents.users.findUnique('emailHome', [first.email, '*']);
    expect(await verifyPassword(user?.passwordHash ?? '', first.password)).to.equal(true);
  });

  it('gives every installation secrets of its own', async () => {
    const first = await made();
    await documents.close();
    documents = createSqliteDocumentStore({ path: join(directory, 'other.sqlite'), clock });
    const second = await made();
    expect(second.key).to.not.equal(first.key);
    expect(second.password).to.not.equal(first.password);
    expect(first.password).to.have.length(24);
  });
});
