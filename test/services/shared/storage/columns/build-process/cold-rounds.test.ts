/** The rounds in which documents leave and damaged files are read again: when, for whom, and what is said of it. */
import { expect } from 'chai';
import { BuildProgress } from '../../../../../../services/shared/storage/columns/build-process/build-progress.ts';
import { ColdRounds } from '../../../../../../services/shared/storage/columns/build-process/cold-rounds.ts';
import { emptyState } from '../../../../../../services/shared/storage/mongodb/segments/set-document.ts';
import { createTestClock } from '../../../../../support/test-clock.ts';

const DAY = 86_400_000;
const of = (websiteId: string) => emptyState({ organizationId: 'org_a', websiteId });

function open(coldAfterDays: number | null) {
  const clock = createTestClock();
  const progress = new BuildProgress(clock);
  const seen = {
    cooled: [] as [string | null, number][],
    judged: [] as (string | null)[],
    logged: [] as string[],
    older: ['a', 'b', 'c'].map(of),
    damaged: [] as ReturnType<typeof of>[],
    held: [] as string[],
    isLeased: false,
  };
  const log = (_: unknown, text?: string) => void seen.logged.push(text ?? '');
  const ended = new AbortController();
  const rounds = new ColdRounds({
    coldAfterDays,
    clock,
    progress,
    logger: { info: log, warn: log } as never,
    signal: ended.signal,
    leases: {
      tryLease: async () =>
        seen.isLeased ? null : { signal: new AbortController().signal, release: async () => undefined },
    },
    sets: {
      listOlder: async () => seen.older.map(({ partition }) => partition),
      listDamaged: async () => seen.damaged,
    },
    builder: {
      async coolPartition({ websiteId }, { before }) {
        seen.cooled.push([websiteId, clock.now() - before]);
        if (websiteId === 'b') throw new Error('the disk is full');
        return seen.held.includes(websiteId ?? '')
          ? null
          : { events: websiteId === 'c' ? 0 : 500, bytes: 11_500 };
      },
      judgeAgain: async ({ partition }) => void seen.judged.push(partition.websiteId),
    },
  });
  return { rounds, clock, progress, seen, ended };
}

describe('the rounds of cold events', () => {
  it('let documents of each partition leave after so many days, past faults, and count what left', async () => {
    const { rounds, progress, seen } = open(90);
    await rounds.cool();
    expect(seen.cooled).to.deep.equal(['a', 'b', 'c'].map((id) => [id, 90 * DAY]));
    expect(progress.status(0)).to.deep.include({ coldEvents: 500, coldBytes: 11_500 });
    expect(progress.status(0).fault?.message).to.equal('the disk is full');
  });

  it('come once an hour, and in one process: where another has them, they are tried each minute', async () => {
    const { rounds, clock, seen } = open(90);
    seen.isLeased = true;
    await rounds.cool();
    expect(seen.cooled).to.deep.equal([]);
    seen.isLeased = false;
    await rounds.cool();
    expect(seen.cooled, 'within the minute').to.deep.equal([]);
    clock.advance(60_000);
    await rounds.cool();
    expect(seen.cooled).to.have.length(3);
    clock.advance(3_599_999);
    await rounds.cool();
    expect(seen.cooled).to.have.length(3);
    clock.advance(1);
    await rounds.cool();
    expect(seen.cooled).to.have.length(6);
  });

  it('try partitions at which another process is, or died, each minute, and no others', async () => {
    const { rounds, clock, seen } = open(90);
    seen.held = ['a'];
    const websites = () => seen.cooled.splice(0).map(([websiteId]) => websiteId);
    await rounds.cool();
    expect(websites()).to.deep.equal(['a', 'b', 'c']);
    await rounds.cool();
    expect(websites(), 'within the minute').to.deep.equal([]);
    clock.advance(60_000);
    await rounds.cool();
    expect(websites()).to.deep.equal(['a']);
    seen.held = [];
    clock.advance(60_000);
    await rounds.cool();
    expect(websites()).to.deep.equal(['a']);
    clock.advance(60_000);
    await rounds.cool();
    expect(websites()).to.deep.equal([]);
  });

  it('never let one leave without the setting', async () => {
    const { rounds, seen } = open(null);
    await rounds.cool();
    expect(seen.cooled).to.deep.equal([]);
  });

  it('end with the loop, between two partitions', async () => {
    const { rounds, seen, ended } = open(90);
    ended.abort(new Error('closing'));
    await rounds.cool();
    expect([seen.cooled, seen.logged]).to.deep.equal([[], []]);
  });

  it('read damaged files again each minute, tell how many partitions have some, and log each once', async () => {
    const { rounds, clock, progress, seen } = open(null);
    seen.damaged = [of('a')];
    await rounds.judge();
    await rounds.judge();
    expect([seen.judged, progress.status(0).damaged]).to.deep.equal([['a'], 1]);
    clock.advance(60_000);
    await rounds.judge();
    expect(seen.logged).to.deep.equal(['cold segments are damaged and must be restored']);
    seen.damaged = [];
    clock.advance(60_000);
    await rounds.judge();
    expect(progress.status(0).damaged).to.equal(0);
  });
});
