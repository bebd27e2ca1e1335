/** Writers that are watched: which of them are silent, and since what they told last. */
import { expect } from 'chai';
import { SILENT_MS, WriterWatch } from '../../../../../services/shared/storage/columns/writer-watch.ts';
import { ArrivalLog } from '../../../../support/columns/arrival-log.ts';

describe('watched writers', () => {
  it('are silent once they told nothing new for long enough, and no longer when they tell something', async () => {
    const log = new ArrivalLog();
    let now = 0;
    const watch = new WriterWatch(log, () => now, new AbortController().signal);
    const silent = async () => [...(await watch.read()).silent.keys()];
    const [first, second] = [log.begin(), log.begin()];
    expect(await silent()).to.deep.equal([]);
    now = SILENT_MS - 1;
    expect(await silent()).to.deep.equal([]);
    second.beats++;
    now = SILENT_MS;
    expect(await silent()).to.deep.equal([1]);
    const told = (await watch.read()).silent.get(1);
    now = 2 * SILENT_MS;
    expect(await silent()).to.deep.equal([1, 2]);
    expect((await watch.read()).silent.get(1)).to.equal(told);
    first.recheck++;
    expect(await silent()).to.deep.equal([2]);
    now = 3 * SILENT_MS;
    expect((await watch.read()).silent.get(1)).to.not.equal(told);
    first.closed = true;
    const { silent: left, positions, open } = await watch.read();
    expect([...left.keys()]).to.deep.equal([2]);
    expect(positions).to.deep.equal({ floor: 2, sequences: new Map([[2, 0]]) });
    expect(open.map(({ number }) => number)).to.deep.equal([2]);
  });

  it('are read once for all who ask during a read', async () => {
    const log = new ArrivalLog();
    let reads = 0;
    const writers = () => {
      reads++;
      return log.writers();
    };
    const watch = new WriterWatch({ writers }, () => 0, new AbortController().signal);
    await Promise.all([watch.read(), watch.read(), watch.read()]);
    expect(reads).to.equal(2);
  });
});
