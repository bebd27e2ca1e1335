/** Builders that are killed after each of their steps: what is visible stays right, and whoever comes next goes on. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { newRebuild } from '../../../../../../services/shared/storage/columns/build/rebuild.ts';
import { NO_POSITIONS } from '../../../../../../services/shared/storage/columns/positions.ts';
import {
  AT_STEP,
  KILLED_COLD,
  KILLED_PARTITION,
  KILLED_SIZES,
} from '../../../../../support/columns/build-until-step.ts';
import { NO_LEASES, SegmentWorkshop } from '../../../../../support/columns/segment-workshop.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';
import { sortedTexts } from '../../../../../support/segment-events.ts';

const PROGRAM = new URL('../../../../../support/columns/build-until-step', import.meta.url).pathname;
const ENDING = import.meta.filename.endsWith('.ts') ? '.ts' : '.js';

const events = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) =>
    eventRecord({
      website_id: 'web_a',
      event_id: `e${from + i}`,
      anonymous_id: i % 3 === 0 ? 'ann' : 'bob',
      timestamp: ((from + i) % 17) * 1_000,
    }),
  );

describe('a builder of segments that is killed', function () {
  this.timeout(300_000);
  const mongodb = useMongodb();
  let uri: string;
  let shop: SegmentWorkshop;
  let steps: string[];

  beforeEach(async () => {
    uri = mongodb.newUri();
    steps = [];
    shop = await SegmentWorkshop.open(uri, { ...KILLED_SIZES, leases: NO_LEASES });
  });
  afterEach(() => shop.close());

  for (const work of ['build', 'rebuild', 'erase'] as const) {
    it(`after steps of ${work === 'erase' ? 'an erasure' : `a ${work}`} leaves nothing wrong, and the next goes on`, async () => {
      const { builder } = shop.bench;
      await shop.store(events(0, 13));
      await builder.buildPartition(KILLED_PARTITION);
      for (let from = 13; from < 49; from += 12) await shop.store(events(from, from + 12));
      if (work !== 'build') await builder.buildPartition(KILLED_PARTITION);
      if (work === 'rebuild') await beginAnew();
      // Each process goes on where the one before was killed, one step further.
      for (let count = 1; ; count++) {
        const step = await killedAfter(work === 'erase' ? 'erase' : 'build', uri, shop.folder(), count);
        if (step === null) break;
        steps.push(step);
        if (work !== 'erase') await shop.expectWhole(KILLED_PARTITION);
      }
      await shop.expectWhole(KILLED_PARTITION);
      const { segments } = await shop.set(KILLED_PARTITION);
      const visitors = (await shop.segmentEvents(KILLED_PARTITION)).map((event) => event.anonymous_id);
      expect(visitors.length).to.equal(work === 'erase' ? 32 : 49);
      await builder.removeGarbage(Date.now() + 60_000);
      expect(await shop.storedFiles()).to.have.members(segments.map(({ id }) => id));
      await shop.expectWhole(KILLED_PARTITION);
      expect(steps).to.include.members(['written', 'stored', 'visible']);
    });
  }

  it('in every step of going cold loses no event and has none twice, and the next goes on', async () => {
    const { builder, sets } = shop.bench;
    const all = events(0, 49);
    for (let from = 0; from < 49; from += 12) await shop.store(all.slice(from, Math.min(49, from + 12)));
    await builder.buildPartition(KILLED_PARTITION);
    await builder.coolPartition(KILLED_PARTITION, { ...KILLED_COLD, now: 0 });
    // A late event, beyond what the plan has.
    const late = eventRecord({ website_id: 'web_a', event_id: 'late', timestamp: 3_000 });
    await shop.store([late]);
    await builder.buildPartition(KILLED_PARTITION);
    const expected = sortedTexts([...all, late]);
    const whole = async () => {
      expect(sortedTexts(await shop.segmentEvents(KILLED_PARTITION))).to.deep.equal(expected);
      // Whatever has no document is in a cold segment.
      const documents = await shop.connection.collection('events').countDocuments();
      const { segments } = await shop.set(KILLED_PARTITION);
      const cold = segments.reduce((sum, { cold, rows }) => sum + (cold ? rows : 0), 0);
      expect(documents + cold).to.be.at.least(50);
    };
    // What is visible stays, so the next process begins with the step behind it.
    for (let count = 1; ; count = steps.at(-1) === 'visible' ? 1 : count + 1) {
      const step = await killedAfter('cool', uri, shop.folder(), count);
      if (step === null) break;
      steps.push(step);
      await whole();
    }
    await whole();
    expect(steps).to.include.members(['written', 'stored', 'checked', 'visible', 'dropped']);
    const { segments, cold, plan } = await sets.readState(KILLED_PARTITION);
    expect([cold?.before, plan]).to.deep.equal([3_500, null]);
    expect(segments.some((segment) => segment.cold === 'leaving')).to.equal(false);
    const old = all.filter(({ timestamp }) => timestamp < 3_500);
    const kept = await shop.connection.collection('events').find({}).toArray();
    expect(kept).to.have.length(50 - old.length);
    await builder.removeGarbage(Date.now() + 60_000);
    expect(await shop.storedFiles()).to.have.members(segments.map(({ id }) => id));
    await builder.rebuildPartition(KILLED_PARTITION);
    await whole();
  });

  /** As `rebuildPartition` does at first; a process that only builds goes on with it. */
  const beginAnew = async () => {
    const state = await shop.bench.sets.readState(KILLED_PARTITION);
    await shop.bench.sets.replace({
      ...state,
      version: state.version + 1,
      rebuild: newRebuild(state, NO_POSITIONS),
    });
  };
});

/** The step after which the process was killed; null: it came to its end before. */
async function killedAfter(work: string, uri: string, folder: string, steps: number): Promise<string | null> {
  const args = [...process.execArgv, `${PROGRAM}${ENDING}`, work, uri, folder, String(steps)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('\n')) break;
  }
  const said = text.startsWith(AT_STEP) ? text.slice(AT_STEP.length).trim() : null;
  if (said !== null) child.kill('SIGKILL');
  const [code] = await ended;
  expect(code, 'exit code').to.equal(said === null ? 0 : null);
  return said;
}
