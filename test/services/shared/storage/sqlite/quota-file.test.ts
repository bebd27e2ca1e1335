/** The file of quotas: its bound, and what ends. */
import { expect } from 'chai';
import Database from 'libsql';
import { type QuotaCount, QuotaFile } from '../../../../../services/shared/storage/sqlite/quota-file.ts';
import { createTempDirectory } from '../../../../support/temp-directory.ts';

const count = (subject: string, own: Partial<QuotaCount> = {}): QuotaCount => ({
  ...{ subject, name: 'x', endsAtMs: 1_000, keptUntilMs: 2_000, isOfAddress: false, amount: 1 },
  ...own,
});

describe('QuotaFile', () => {
  const directory = createTempDirectory();
  after(() => directory.remove());

  it('takes no further counts once it is full, goes on with those that it has, and makes room as they end', () => {
    const file = new QuotaFile(directory.file('full.sqlite'), 2);
    expect(
      file.add([count('a', { amount: 5 }), count('b', { keptUntilMs: 3_000 }), count('c')]),
    ).to.deep.equal([...[5, 1, null]]);
    expect(file.add([count('a', { amount: 5 })])).to.deep.equal([10]);
    file.settle(1_999);
    expect(file.add([count('c')])).to.deep.equal([null]);
    file.settle(2_000);
    expect(file.add([count('c')])).to.deep.equal([1]);
    expect([file.count(count('a')), file.count(count('b'))]).to.deep.equal([0, 1]);
    file.close();
  });

  it('leaves addresses a quarter of its room, which others do not take', () => {
    const file = new QuotaFile(directory.file('shares.sqlite'), 4);
    const address = { isOfAddress: true };
    expect(file.add([count('1', address), count('2', address)])).to.deep.equal([1, null]);
    expect(file.add(['a', 'b', 'c', 'd'].map((name) => count(name)))).to.deep.equal([1, 1, 1, null]);
    file.close();
  });

  it('has one bound for all processes over it, also after a restart', () => {
    const path = directory.file('again.sqlite');
    const [first, second] = [new QuotaFile(path, 1), new QuotaFile(path, 1)];
    expect(first.add([count('a')])).to.deep.equal([1]);
    expect(second.add([count('b')])).to.deep.equal([null]);
    first.close();
    second.close();
    const third = new QuotaFile(path, 1);
    expect(third.add([count('b')])).to.deep.equal([null]);
    third.close();
  });

  it('adds to what another process has begun since', () => {
    const path = directory.file('two.sqlite');
    const [first, second] = [new QuotaFile(path), new QuotaFile(path)];
    for (let turn = 0; turn < 50; turn++) {
      expect(first.add([count(`s${turn}`)])).to.deep.equal([1]);
      expect(second.add([count(`s${turn}`), count(`t${turn}`)])).to.deep.equal([2, 1]);
    }
    first.close();
    second.close();
  });

  it('keeps each period apart', () => {
    const file = new QuotaFile(directory.file('ends.sqlite'));
    file.add([count('a', { amount: 7 })]);
    expect(file.add([count('a', { endsAtMs: 5_000, amount: 2 })])).to.deep.equal([2]);
    expect([file.count(count('a')), file.count(count('a', { endsAtMs: 5_000 }))]).to.deep.equal([7, 2]);
    file.close();
  });

  it('removes a bounded number at a time', () => {
    const file = new QuotaFile(directory.file('many.sqlite'));
    file.add(Array.from({ length: 500 }, (_, index) => count(`${index}`)));
    const left = () =>
      Array.from({ length: 500 }, (_, index) => file.count(count(`${index}`))).reduce(
        (sum, one) => sum + one,
        0,
      );
    const seen = [0, 1, 2].map(() => {
      file.settle(2_000);
      return left();
    });
    expect(seen).to.deep.equal([300, 100, 0]);
    file.close();
  });

  it('opens beside the table of another shape', () => {
    const path = directory.file('old.sqlite');
    const old = new Database(path);
    old.exec('CREATE TABLE quotas (subject TEXT, count INTEGER)');
    old.close();
    const file = new QuotaFile(path);
    expect(file.add([count('a')])).to.deep.equal([1]);
    file.close();
  });
});
