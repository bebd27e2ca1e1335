/** The salts of visitors: one a day for all processes, at random, at hand, and forgotten after 48 hours. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { SALT_TENANT } from '../../../../services/shared/model/visitor-salt.ts';
import { createSqliteDocumentStore } from '../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { createDailySalts, type VisitorKey } from '../../../../services/tracking/salts/daily-salts.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { rejection } from '../../../support/rejection.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { testSalts } from '../../../support/test-salts.ts';
import { createTrackingFixture, expectError, type TrackingFixture } from '../tracking-fixture.ts';

const DAY = 86_400_000;
const NOON = '2026-07-15T12:00:00.000Z';
const hex = (key: Uint8Array) => Buffer.from(key).toString('hex');
const ids = async (documents: { visitorSalts: { all(tenant: string): Promise<{ id: string }[]> } }) =>
  (await documents.visitorSalts.all(SALT_TENANT)).map(({ id }) => id);

describe('the salts of visitors', () => {
  it('are the same for every process, whichever makes them, and after a restart', async () => {
    const clock = createTestClock(NOON);
    const directory = createTempDirectory();
    const stores = Array.from({ length: 4 }, () =>
      createSqliteDocumentStore({ path: directory.file('documents.sqlite'), clock }),
    );
    try {
      const keys = await Promise.all(stores.map((documents) => testSalts(documents, clock).at(clock.now())));
      const later = await testSalts(stores[0] as never, clock).at(clock.now());
      const texts = [...keys, later].map((key) => hex(key(clock.now())));
      expect(new Set(texts).size).to.equal(1);
      expect(await ids(stores[0] as never)).to.deep.equal(['slt_2026-07-14', 'slt_2026-07-15']);
    } finally {
      for (const store of stores) await store.close();
      directory.remove();
    }
  });

  it('are random: another installation with the same secret has others, each day has its own', async () => {
    const clock = createTestClock(NOON);
    const now = clock.now();
    const [one, other] = [createMemoryDocumentStore(clock), createMemoryDocumentStore(clock)];
    const key = await testSalts(one, clock).at(now);
    const foreign = await testSalts(other, clock).at(now);
    expect(new Set([key(now), key(now - DAY), foreign(now), foreign(now - DAY)].map(hex)).size).to.equal(4);
  });

  it('need the secret beside what the store holds', async () => {
    const clock = createTestClock(NOON);
    const documents = createMemoryDocumentStore(clock);
    const keyOf = async (byte: number): Promise<VisitorKey> =>
      createDailySalts({ documents, clock, visitorSecret: Buffer.alloc(32, byte), randomBytes }).at(
        clock.now(),
      );
    const [one, other] = [await keyOf(1), await keyOf(2)];
    expect(hex(one(clock.now()))).to.not.equal(hex(other(clock.now())));
    expect(() =>
      createDailySalts({ documents, clock, visitorSecret: Buffer.alloc(31), randomBytes }),
    ).to.throw('visitorSecret has 31 bytes; at least 32 are required');
  });

  it('are asked of the store once a day, and once for all who ask at once', async () => {
    const clock = createTestClock(NOON);
    const documents = createMemoryDocumentStore(clock);
    let reads = 0;
    const { get } = documents.visitorSalts;
    Object.assign(documents.visitorSalts, {
      get: (...args: Parameters<typeof get>) => {
        reads++;
        return get(...args);
      },
    });
    const salts = testSalts(documents, clock);
    await Promise.all(Array.from({ length: 50 }, () => salts.at(clock.now())));
    expect(reads).to.equal(2);
    expect(salts.at(clock.now())).to.be.a('function');
    expect(salts.at(clock.now() - DAY / 2 - 1), 'a request from before midnight').to.be.a('function');
    clock.advance(DAY);
    await salts.at(clock.now());
    expect(reads).to.equal(4);
  });

  it('change at midnight UTC; yesterday is still known, and the day before has no key any more', async () => {
    const clock = createTestClock('2026-07-15T23:59:59.999Z');
    const salts = testSalts(createMemoryDocumentStore(clock), clock);
    const noon = Date.parse(NOON);
    const before = hex((await salts.at(clock.now()))(noon));
    clock.advance(1);
    const key = await salts.at(clock.now());
    expect(hex(key(clock.now()))).to.not.equal(before);
    expect(hex(key(noon))).to.equal(before);
    clock.advance(DAY);
    const next = await salts.at(clock.now());
    expect(hex(next(noon))).to.not.equal(before);
    expect(hex(next(noon))).to.equal(hex(next(clock.now())));
  });

  it('are forgotten 48 hours after their day began, here and in the store, by whichever process is there', async () => {
    const clock = createTestClock(NOON);
    const documents = createMemoryDocumentStore(clock);
    const first = testSalts(documents, clock);
    await first.at(clock.now());
    await first.forget();
    expect(await ids(documents)).to.deep.equal(['slt_2026-07-14', 'slt_2026-07-15']);
    clock.advance(DAY / 2);
    await testSalts(documents, clock).forget();
    expect(await ids(documents)).to.deep.equal(['slt_2026-07-15']);
    clock.advance(DAY);
    await first.forget();
    expect(await ids(documents)).to.deep.equal([]);
    expect(documents.text()).to.not.include('slt_');
    expect(first.at(clock.now()), 'what was at hand is gone too').to.be.a('promise');
  });

  it('are not made up when the store is down: nothing is remembered of the failure', async () => {
    const clock = createTestClock(NOON);
    const documents = createMemoryDocumentStore(clock);
    const { get } = documents.visitorSalts;
    const down = new ApiError('SERVICE_UNAVAILABLE');
    Object.assign(documents.visitorSalts, { get: () => Promise.reject(down) });
    const salts = testSalts(documents, clock);
    expect(await rejection(Promise.resolve(salts.at(clock.now())))).to.equal(down);
    Object.assign(documents.visitorSalts, { get });
    expect(await salts.at(clock.now())).to.be.a('function');
  });
});

describe('ingest without a salt at hand', () => {
  let service: TrackingFixture;

  beforeEach(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com' });
  });
  afterEach(() => service.close());

  const from = { caller: PUBLIC_CALLER, search: '?client_id=web_1' };
  const breakStore = () =>
    Object.assign(service.documents.visitorSalts, {
      get: () => Promise.reject(new ApiError('SERVICE_UNAVAILABLE')),
    });

  it('refuses what would be hashed with 503, stores none of it, and takes the rest', async () => {
    breakStore();
    expectError(await service.post('/events', { name: 'unnamed' }, from), 503, 'UPSTREAM_UNAVAILABLE');
    const anonymized = { name: 'quiet', anonymousId: 'v', anonymizeVisitorIds: true };
    expectError(await service.track(anonymized), 503, 'UPSTREAM_UNAVAILABLE');
    expect(service.counts.of('not_stored')).to.equal(2);
    expect((await service.post('/events', { name: 'named', anonymousId: 'v' }, from)).status).to.equal(200);
    expect((await service.track({ name: 'keyed' })).status).to.equal(200);
    expect(await service.count()).to.equal(2);
  });

  it('goes on by the salt of the day once it has it, whatever becomes of the store', async () => {
    expect((await service.post('/events', { name: 'seen' }, from)).status).to.equal(200);
    breakStore();
    expect((await service.post('/events', { name: 'seen' }, from)).status).to.equal(200);
    const visitors = (await service.stored('seen')).map(({ anonymous_id }) => anonymous_id);
    expect(visitors).to.have.length(2);
    expect(new Set(visitors).size).to.equal(1);
    expect(visitors[0]).to.match(/^[0-9a-f]{32}$/);
  });
});
