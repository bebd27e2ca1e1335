/** Columns remember answers, and never longer than the events that they were read from stay as they were. */
import { expect } from 'chai';
import { DAY, DAY_MS, eventOf, IDS, ids, REACH, WEBSITE } from '../../../../support/columns/asked-events.ts';
import { type ColumnEvents, columnEvents } from '../../../../support/columns/column-events.ts';

describe('answers that a column store remembers', () => {
  let events: ColumnEvents;
  beforeEach(async () => {
    events = await columnEvents({ answersMb: 8 });
  });
  afterEach(() => events.remove());

  const seen = async (reach = REACH) => ids(await events.store.run(IDS, { reach }));
  const hits = () => events.store.answers.hits;

  it('are given again without a turn of the engine, while what was asked for stays', async () => {
    events.append([eventOf('a')]);
    expect(await seen()).to.deep.equal(['a']);
    expect([await seen(), await seen()]).to.deep.equal([['a'], ['a']]);
    expect(hits()).to.equal(2);
  });

  it('are those of days in which nothing arrived', async () => {
    const day = (of: number) => ({
      ...REACH,
      range: { from: DAY + of * DAY_MS, to: DAY + (of + 1) * DAY_MS },
    });
    events.append([eventOf('old', 'web_a', 0)]);
    await events.shelf.build(WEBSITE);
    expect(await seen(day(0))).to.deep.equal(['old']);
    events.append([eventOf('today', 'web_a', 3)]);
    expect(await seen(day(0))).to.include('old');
    expect(hits()).to.equal(1);
    events.append([eventOf('late', 'web_a', 0)]);
    expect(await seen(day(0))).to.include('late');
    expect(hits()).to.equal(1);
  });

  it('end with events that went into segments before they were seen', async () => {
    events.append([eventOf('a')]);
    await seen();
    events.append([eventOf('b')]);
    await events.shelf.build(WEBSITE);
    expect(await seen()).to.deep.equal(['a', 'b']);
  });

  it('are not given to who joined when the look at what is new was over', async () => {
    events.append([eventOf('a')]);
    await seen();
    await seen();
    const read = events.log.read.bind(events.log);
    let joined: Promise<unknown> | null = null;
    events.log.read = async function* (...of) {
      yield* read(...of);
      if (joined !== null) return;
      events.append([eventOf('b')]);
      joined = seen();
    };
    const before = events.store.sharedQueries;
    expect(await seen()).to.include('a');
    expect(events.store.sharedQueries).to.equal(before + 1);
    expect(await joined).to.deep.equal(['a', 'b']);
  });
});
