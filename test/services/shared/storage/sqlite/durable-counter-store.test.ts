/** Counters whose quotas are in a file: the contract of all counters, exact over restarts, and what a failing file does. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import Database from 'libsql';
import type { Logger } from 'pino';
import { ApiError } from '../../../../../services/shared/errors/api-error.ts';
import {
  type LimitUse,
  LONGEST_PERIOD_MS,
  PERIODS,
} from '../../../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../../../services/shared/storage/memory/memory-counter-store.ts';
import { DurableCounterStore } from '../../../../../services/shared/storage/sqlite/durable-counter-store.ts';
import { counterStoreContract } from '../../../../contract/counter-store.contract.ts';
import { counterStoreModelContract } from '../../../../contract/counter-store-model.contract.ts';
import { eventually } from '../../../../support/eventually.ts';
import { createLogWatch, createStrictLogger } from '../../../../support/log-watch.ts';
import { createTempDirectory } from '../../../../support/temp-directory.ts';
import { createTestClock, type TestClock } from '../../../../support/test-clock.ts';

const SILENT = createStrictLogger();
const quota = (own: Partial<LimitUse> = {}): LimitUse => ({
  ...{ name: 'exports', limit: 100, cost: 1, algorithm: 'fixed', onStoreFailure: 'local' },
  ...{ period: 'month', windowMs: LONGEST_PERIOD_MS.month },
  ...own,
});
const MINUTE: LimitUse = {
  ...{ name: 'plan@60s', limit: 1_000_000, windowMs: 60_000, cost: 1 },
  ...{ algorithm: 'fixed', onStoreFailure: 'local' },
};

describe('DurableCounterStore', () => {
  const directory = createTempDirectory();
  after(() => directory.remove());
  let files = 0;
  const newPath = (): string => directory.file(`quotas-${files++}.sqlite`);
  const open = (clock: TestClock, path: string, logger: Logger = SILENT) =>
    new DurableCounterStore({
      ...{ memory: new MemoryCounterStore(clock), path, clock, logger },
      seal: (text) => `sealed-${text.length}`,
    });

  counterStoreContract('memory and a file of quotas', (clock) => open(clock, newPath()));
  counterStoreModelContract('memory and a file of quotas', (clock) => open(clock, newPath()), {
    runs: 15,
    backwards: false,
  });

  it('goes on from every admitted request in another process, without having been closed', async () => {
    for (const period of PERIODS) {
      const [clock, path] = [createTestClock(), newPath()];
      const use = quota({ period, windowMs: LONGEST_PERIOD_MS[period] });
      let admitted = 0;
      for (const parallel of [30, 1, 300, 300]) {
        // As after kill -9: nobody closed the one before.
        const store = open(clock, path);
        const decisions = await Promise.all(
          Array.from({ length: parallel }, () => store.decide('organization:a', [MINUTE, use])),
        );
        admitted += decisions.filter((decision) => decision.admitted).length;
      }
      expect(admitted, period).to.equal(100);
      clock.advance(LONGEST_PERIOD_MS[period]);
      expect(open(clock, path).decide('organization:a', [use]).states[0]?.remaining, period).to.equal(99);
    }
  });

  it('counts the same in shadow, charged afterwards and for a lowered number', () => {
    const [clock, path] = [createTestClock(), newPath()];
    const [shadow, seconds] = [
      quota({ shadow: true, limit: 3 }),
      quota({ name: 'seconds', cost: 0, needs: 1 }),
    ];
    for (let count = 0; count < 5; count++) open(clock, path).decide('organization:a', [MINUTE, shadow]);
    expect(open(clock, path).decide('organization:a', [quota({ limit: 4 })]).states[0]?.remaining).to.equal(
      0,
    );
    open(clock, path).charge('organization:a', seconds, 70);
    expect(open(clock, path).charge('organization:a', seconds, 7).remaining).to.equal(23);
  });

  it('learns what another process counts in the same file', () => {
    const [clock, path] = [createTestClock(), newPath()];
    const [one, other] = [open(clock, path), open(clock, path)];
    one.decide('organization:a', [quota()]);
    for (let count = 0; count < 20; count++) other.decide('organization:a', [quota()]);
    one.decide('organization:a', [quota()]);
    expect(one.peek('organization:a', quota()).remaining).to.equal(78);
  });

  it('passes no request more where another process used up the quota', () => {
    const [clock, path] = [createTestClock(), newPath()];
    const [one, other] = [open(clock, path), open(clock, path)];
    one.decide('organization:a', [quota()]);
    for (let count = 0; count < 99; count++) other.decide('organization:a', [quota()]);
    expect(one.decide('organization:a', [quota()]).admitted).to.equal(false);
    expect(open(clock, path).decide('organization:a', [quota({ limit: 102 })]).states[0]?.remaining).to.equal(
      1,
    );
  });

  it('forgets nothing when the clock was ahead for a while', async () => {
    const [clock, path] = [createTestClock(), newPath()];
    const store = open(clock, path);
    const day = quota({ period: 'day', windowMs: LONGEST_PERIOD_MS.day });
    for (let count = 0; count < 9; count++) store.decide('organization:a', [day]);
    clock.advance(LONGEST_PERIOD_MS.day);
    store.decide('organization:a', [day]);
    await store.close();
    clock.advance(-LONGEST_PERIOD_MS.day);
    expect(open(clock, path).decide('organization:a', [day]).states[0]?.remaining).to.equal(90);
  });

  it('makes no file before a quota counts, and one that only its owner reads, without addresses', async () => {
    const [clock, path] = [createTestClock(), directory.file('new/quotas.sqlite')];
    const store = open(clock, path);
    store.decide('organization:a', [MINUTE]);
    expect(() => statSync(path)).to.throw('ENOENT');
    store.decide('address:192.0.2.77', [quota()]);
    store.decide('organization:a', [quota({ name: 'exports@address:192.0.2.77' })]);
    await store.close();
    expect(statSync(path).mode & 0o777).to.equal(0o600);
    expect(readFileSync(path, 'latin1')).to.contain('sealed-18').and.not.contain('192.0.2.77');
  });

  describe('while the file fails', () => {
    /** Where no file can be: its folder is a file. */
    function blockedPath(): string {
      const folder = directory.file(`blocked-${files++}`);
      writeFileSync(folder, '');
      return `${folder}/quotas.sqlite`;
    }

    it('counts in memory, exactly, and says so once', async () => {
      const { logger, lines } = createLogWatch();
      const store = open(createTestClock(), blockedPath(), logger);
      const decisions = Array.from({ length: 300 }, () => store.decide('organization:a', [quota()]));
      expect(decisions.filter(({ admitted }) => admitted)).to.have.length(100);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.contain('quotas cannot be written');
      await store.close();
    });

    it('lets nothing pass that is closed, save in shadow', () => {
      const store = open(createTestClock(), blockedPath());
      const closed = quota({ onStoreFailure: 'closed' });
      expect(() => store.decide('organization:a', [closed])).to.throw(ApiError, /file that counts quotas/);
      expect(store.decide('organization:a', [{ ...closed, shadow: true }]).admitted).to.equal(true);
    });

    it('never throws where work is charged afterwards, and lets no further work begin', () => {
      const store = open(createTestClock(), blockedPath());
      const seconds = quota({ cost: 0, needs: 1, onStoreFailure: 'closed' });
      expect(store.charge('organization:a', seconds, 30).remaining).to.equal(70);
      expect(() => store.decide('organization:a', [seconds])).to.throw(ApiError);
    });

    it('counts nothing of a request that it refuses, in no limit', async () => {
      const [clock, path] = [createTestClock(), newPath()];
      const store = open(clock, path, createLogWatch().logger);
      const uses = [MINUTE, quota({ onStoreFailure: 'closed' }), quota({ name: 'second' })];
      store.decide('organization:a', uses);
      const lock = new Database(path);
      lock.exec('BEGIN IMMEDIATE');
      for (let count = 0; count < 9; count++) {
        expect(() => store.decide('organization:a', uses)).to.throw(ApiError);
      }
      lock.exec('COMMIT');
      lock.close();
      expect(uses.map((use) => store.peek('organization:a', use).remaining)).to.deep.equal([999_999, 99, 99]);
      await store.close();
      expect(open(clock, path).decide('organization:a', uses).states[1]?.remaining).to.equal(98);
    });

    it('takes a short lock of another process for no fault, and writes once that is gone', async () => {
      const { logger, lines } = createLogWatch();
      const [clock, path] = [createTestClock(), newPath()];
      const store = open(clock, path, logger);
      store.decide('organization:a', [quota()]);
      const lock = new Database(path);
      lock.exec('BEGIN IMMEDIATE');
      for (let count = 0; count < 5; count++)
        expect(store.decide('organization:a', [quota()]).admitted).to.equal(true);
      lock.exec('COMMIT');
      lock.close();
      await eventually(() => countedIn(path)).equals({ 'organization:a': 6 });
      expect(store.decide('organization:a', [quota()]).states[0]?.remaining).to.equal(93);
      expect(countedIn(path), 'a request writes again').to.deep.equal({ 'organization:a': 7 });
      expect(lines).to.deep.equal([]);
      await store.close();
    });

    it('says of a lock that lasts that quotas cannot be written, and when they are again', async () => {
      const { logger, lines } = createLogWatch();
      const [clock, path] = [createTestClock(), newPath()];
      const store = open(clock, path, logger);
      store.decide('organization:a', [quota()]);
      const lock = new Database(path);
      lock.exec('BEGIN IMMEDIATE');
      store.decide('organization:a', [quota()]);
      expect(lines).to.deep.equal([]);
      await eventually(() => lines.length).equals(1);
      expect(lines[0]).to.contain('quotas cannot be written');
      lock.exec('COMMIT');
      lock.close();
      await eventually(() => lines.length).equals(2);
      expect(lines[1]).to.contain('quotas are written again');
      await eventually(() => countedIn(path)).equals({ 'organization:a': 2 });
      await store.close();
    });

    /** What stands in the file, by subject. */
    function countedIn(path: string): Record<string, number> {
      const file = new Database(path, { readonly: true });
      const rows = file.prepare('SELECT subject, count FROM quota_counts').all();
      file.close();
      return Object.fromEntries(
        (rows as { subject: string; count: number }[]).map(({ subject, count }) => [subject, count]),
      );
    }

    const occasions: Record<string, (store: DurableCounterStore) => Promise<void> | null> = {
      'when it is closed': (store) => store.close(),
      'in time, without a further request': () => null,
    };
    for (const [when, occasion] of Object.entries(occasions)) {
      it(`writes what it could not ${when}, save what ended`, async () => {
        const [clock, path] = [createTestClock(), newPath()];
        const store = open(clock, path, createLogWatch().logger);
        const day = quota({ period: 'day', windowMs: LONGEST_PERIOD_MS.day });
        store.decide('organization:a', [quota()]);
        const lock = new Database(path);
        lock.exec('BEGIN IMMEDIATE');
        for (let count = 0; count < 5; count++) store.decide('organization:a', [quota()]);
        store.charge('organization:b', quota(), 7);
        store.charge('organization:ended', day, 3);
        // Counts of a day are kept for one more, so this one would still stand in the file.
        clock.advance(LONGEST_PERIOD_MS.day);
        lock.exec('COMMIT');
        lock.close();
        await occasion(store);
        await eventually(() => countedIn(path)).equals({ 'organization:a': 6, 'organization:b': 7 });
        await store.close();
        const next = open(clock, path);
        expect(next.decide('organization:a', [quota()]).states[0]?.remaining).to.equal(93);
        expect(next.decide('organization:b', [quota()]).states[0]?.remaining).to.equal(92);
        await next.close();
      });
    }
  });

  it('keeps the folder that it makes to its owner', () => {
    const path = directory.file('deep/er/quotas.sqlite');
    mkdirSync(directory.file('deep'));
    open(createTestClock(), path).decide('organization:a', [quota()]);
    expect(statSync(directory.file('deep/er')).mode & 0o777).to.equal(0o700);
  });
});
