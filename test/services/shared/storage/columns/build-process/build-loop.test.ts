/** The loop of builds over a builder that the test answers for: what is built when, what is said of it, and its end. */
import { expect } from 'chai';
import { BuildLoop } from '../../../../../../services/shared/storage/columns/build-process/build-loop.ts';
import { BuildProgress } from '../../../../../../services/shared/storage/columns/build-process/build-progress.ts';
import type { Partition } from '../../../../../../services/shared/storage/columns/partition.ts';
import { NO_POSITIONS } from '../../../../../../services/shared/storage/columns/positions.ts';
import {
  DamagedSegment,
  type Rebuild,
} from '../../../../../../services/shared/storage/columns/segment-set.ts';
import { emptyState } from '../../../../../../services/shared/storage/mongodb/segments/set-document.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { createTestClock } from '../../../../../support/test-clock.ts';
import { until } from '../../../../../support/until.ts';

const of = (websiteId: string): Partition => ({ organizationId: 'org_a', websiteId });
const forever = () => new AbortController().signal;

interface Call {
  readonly partition: Partition;
  readonly signal: AbortSignal;
  answer(isBuilt: boolean): void;
  fail(fault: Error): void;
}

/** A loop whose builder waits for the test. */
function open(atOnce = 1) {
  const clock = createTestClock();
  const calls: Call[] = [];
  const logged: string[] = [];
  const noted: string[] = [];
  const swept: number[] = [];
  const visible = new Set<string>();
  const fresh: Partition[] = [];
  const rebuild: { now: Rebuild | null } = { now: null };
  const faults = { look: null as Error | null, isSweeping: false };
  const log = (_: unknown, text?: string) => void logged.push(text ?? '');
  const progress = new BuildProgress(clock);
  const loop = new BuildLoop({
    atOnce,
    lookEveryMs: 0,
    coldAfterDays: null,
    clock,
    progress,
    logger: { info: log, warn: log } as never,
    count: async () => 42,
    leases: {
      tryLease: async () =>
        faults.isSweeping ? null : { signal: forever(), release: async () => undefined },
    },
    sets: {
      async readState(partition) {
        const covered = visible.has(partition.websiteId ?? '') ? NO_POSITIONS : null;
        return { ...emptyState(partition), version: 1, covered, rebuild: rebuild.now };
      },
      listDamaged: async () => [],
      listOlder: async () => [],
      async listFresh() {
        if (faults.look) throw faults.look;
        return fresh.map((partition) => ({ state: emptyState(partition), fresh: 9_000 }));
      },
    },
    builder: {
      buildPartition: (partition, signal = forever()) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          calls.push({ partition, signal, answer: resolve, fail: reject });
        }),
      coolPartition: async () => null,
      judgeAgain: async () => undefined,
      noteDamage: async (_, segment) => void noted.push(segment),
      async removeGarbage(before) {
        swept.push(clock.now() - before);
        return 3;
      },
    },
  });
  const call = async (number: number): Promise<Call> => {
    await until(`build ${number}`, () => calls.length > number);
    return calls[number] as Call;
  };
  return { loop, clock, calls, call, logged, noted, swept, visible, fresh, rebuild, faults };
}

describe('the loop of builds', () => {
  it('builds what is asked for, one partition after the other, each once', async () => {
    const { loop, call, calls } = open();
    for (const id of ['a', 'b', 'a']) loop.ask(of(id));
    expect(calls.map(({ partition }) => partition)).to.deep.equal([of('a')]);
    expect(loop.status).to.deep.include({ waiting: 1, built: 0 });
    (await call(0)).answer(true);
    expect((await call(1)).partition).to.deep.equal(of('b'));
    (await call(1)).answer(true);
    await until('both are built', () => loop.status.built === 2);
    expect(loop.status).to.deep.include({ waiting: 0, running: [], failed: 0, fault: null });
    await loop.close();
  });

  it('tells what it builds, since when, and roughly how many events there are', async () => {
    const { loop, clock, call } = open();
    loop.ask(of('a'));
    await until('the events are counted', () => loop.status.running[0]?.of === 42);
    expect(loop.status.running).to.deep.equal([
      { partition: of('a'), since: clock.now(), events: 0, of: 42 },
    ]);
    (await call(0)).answer(true);
    await loop.close();
  });

  it('tells how many events there are too when segments are made anew, and not when some are added', async () => {
    const { loop, call, visible, rebuild } = open();
    visible.add('a');
    rebuild.now = { id: 'r', target: NO_POSITIONS, until: null, segments: [], replaces: [] };
    loop.ask(of('a'));
    await until('the events are counted', () => loop.status.running[0]?.of === 42);
    rebuild.now = null;
    loop.ask(of('b'));
    visible.add('b');
    (await call(0)).answer(true);
    (await call(1)).answer(true);
    await until('both are built', () => loop.status.built === 2);
    expect(loop.status.running).to.deep.equal([]);
    await loop.close();
  });

  it('lets a query go on once its partition is built, and builds it before others', async () => {
    const { loop, call } = open();
    for (const id of ['a', 'b']) loop.ask(of(id));
    const first = loop.first(of('c'), forever());
    (await call(0)).answer(true);
    expect((await call(1)).partition).to.deep.equal(of('c'));
    (await call(1)).answer(true);
    await first;
    await loop.close();
  });

  it('lets a query go on that waits for what another process builds, once that is visible', async () => {
    const { loop, call, visible } = open();
    const first = loop.first(of('a'), forever());
    (await call(0)).answer(false);
    const again = await call(1);
    visible.add('a');
    again.answer(false);
    await first;
    expect(loop.status).to.deep.include({ built: 0, failed: 0, waiting: 0 });
    await loop.close();
  });

  it('leaves what another process builds alone when no query waits', async () => {
    const { loop, call } = open();
    loop.ask(of('a'));
    (await call(0)).answer(false);
    await until('it is left', () => loop.status.waiting === 0 && loop.status.running.length === 0);
    await loop.close();
  });

  it('ends the wait of a query with the reason of its signal', async () => {
    const { loop, call } = open();
    const leaving = new AbortController();
    const first = rejection(loop.first(of('a'), leaving.signal));
    await call(0);
    leaving.abort(new Error('the caller has left'));
    expect(await first).to.have.property('message', 'the caller has left');
    expect(await rejection(loop.first(of('a'), leaving.signal))).to.have.property(
      'message',
      'the caller has left',
    );
    await loop.close();
  });

  it('tries again what failed, keeps the query waiting, and logs the same fault once', async () => {
    const { loop, call, logged } = open();
    const first = loop.first(of('a'), forever());
    (await call(0)).fail(new Error('no server', { cause: new Error('connection refused') }));
    (await call(1)).fail(new Error('connection refused'));
    (await call(2)).answer(true);
    await first;
    expect(logged).to.deep.equal(['segments could not be built; it is tried again']);
    expect(loop.status).to.deep.include({ built: 1, failed: 2 });
    expect(loop.status.fault).to.have.property('message', 'connection refused');
    await loop.close();
  });

  it('notes damage before it builds, logs it once, and builds again for damage found meanwhile', async () => {
    const { loop, call, noted, logged } = open();
    const damage = (segment: string) => loop.damaged(of('a'), new DamagedSegment(segment, 'is missing'));
    for (const segment of ['s1', 's1', 's2']) damage(segment);
    await call(0);
    damage('s3');
    (await call(0)).answer(true);
    (await call(1)).answer(true);
    await until('all is built', () => loop.status.built === 2);
    expect(noted).to.have.members(['s1', 's2', 's3']);
    expect(logged).to.have.length(3);
    await loop.close();
  });

  it('finds partitions with many fresh events by itself, and says once why it cannot', async () => {
    const { loop, call, fresh, faults, logged } = open();
    faults.look = new Error('no primary');
    await loop.look();
    await loop.look();
    expect(logged).to.deep.equal(['fresh events could not be looked at']);
    faults.look = null;
    fresh.push(of('a'));
    await loop.look();
    expect((await call(0)).partition).to.deep.equal(of('a'));
    await loop.close();
  });

  it('removes files without a name that are hours old, unless another process does', async () => {
    const { loop, swept, faults } = open();
    await loop.sweep();
    expect([swept, loop.status.removedFiles]).to.deep.equal([[6 * 3_600_000], 3]);
    faults.isSweeping = true;
    await loop.sweep();
    expect(swept).to.have.length(1);
    await loop.close();
  });

  it('builds several at once where it may', async () => {
    const { loop, calls } = open(2);
    for (const id of ['a', 'b', 'c']) loop.ask(of(id));
    expect(calls.map(({ partition }) => partition)).to.deep.equal([of('a'), of('b')]);
    await loop.close();
  });

  it('ends what it builds when it closes, and tells who waits that it cannot', async () => {
    const { loop, call, logged } = open();
    const first = rejection(loop.first(of('a'), forever()));
    const { signal } = await call(0);
    await loop.close();
    expect(signal.aborted).to.equal(true);
    expect(await first).to.have.property('kind', 'SERVICE_UNAVAILABLE');
    expect(await rejection(loop.first(of('b'), forever()))).to.have.property('kind', 'SERVICE_UNAVAILABLE');
    loop.ask(of('b'));
    loop.damaged(of('b'), new DamagedSegment('s1', 'is missing'));
    expect([logged, loop.status.waiting, loop.status.failed]).to.deep.equal([[], 0, 0]);
  });
});
