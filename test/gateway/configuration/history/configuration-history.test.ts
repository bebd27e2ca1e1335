/** The history of configurations: what is kept, what goes, and that processes which read the same write it down once. */
import { expect } from 'chai';
import {
  configurationHistory,
  findConfiguration,
  KEPT_CONFIGURATIONS,
  lastFilesHash,
  type ReadConfiguration,
  recordConfiguration,
} from '../../../../gateway/configuration/history/configuration-history.ts';
import { writePin } from '../../../../gateway/configuration/history/pin.ts';
import { INSTALLATION } from '../../../../services/shared/model/configuration-record.ts';
import { systemClock } from '../../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../../services/shared/ports/document-store.ts';
import { createSqliteDocumentStore } from '../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';

describe('the history of configurations', () => {
  let folder: TempDirectory;
  let documents: DocumentStore;
  beforeEach(() => {
    folder = createTempDirectory();
    documents = createSqliteDocumentStore({ path: folder.file('documents.sqlite'), clock: systemClock });
  });
  afterEach(async () => {
    await documents.close();
    folder.remove();
  });

  const read = (text: string, changes: Partial<ReadConfiguration> = {}): ReadConfiguration => ({
    outcome: 'applied',
    restored: null,
    reason: 'a file changed',
    hash: 'abcdefabcdef',
    texts: new Map([['plans.yml', text]]),
    faults: [],
    ...changes,
  });
  const numbers = async () => (await configurationHistory(documents)).map(({ number }) => number);

  it('numbers what was read from 1, keeps the texts as written, and lists the newest first', async () => {
    const secret = `key: "\${STRIPE_KEY}"\n`;
    await recordConfiguration(documents, read('a'));
    await recordConfiguration(documents, read(secret, { reason: 'SIGHUP' }));
    expect(await numbers()).to.deep.equal([2, 1]);
    expect(await findConfiguration(documents, 2)).to.deep.include({
      number: 2,
      outcome: 'applied',
      source: 'files',
      reason: 'SIGHUP',
      files: [{ file: 'plans.yml', text: secret }],
    });
    expect(await findConfiguration(documents, 3)).to.equal(null);
  });

  it('writes down once what several processes read at once, and again after something else', async () => {
    await Promise.all(Array.from({ length: 8 }, () => recordConfiguration(documents, read('a'))));
    expect(await numbers()).to.deep.equal([1]);
    await recordConfiguration(documents, read('b', { outcome: 'refused', hash: null, faults: ['b is bad'] }));
    await recordConfiguration(documents, read('b', { outcome: 'refused', hash: null, faults: ['b is bad'] }));
    await recordConfiguration(documents, read('a', { restored: 1 }));
    await recordConfiguration(documents, read('a'));
    const found = (await configurationHistory(documents)).map(({ outcome, source, restored, faults }) => [
      outcome,
      source,
      restored,
      faults,
    ]);
    expect(found).to.deep.equal([
      ['applied', 'files', undefined, []],
      ['applied', 'history', 1, []],
      ['refused', 'files', undefined, ['b is bad']],
      ['applied', 'files', undefined, []],
    ]);
  });

  it('says how many faults it did not keep, so that nobody takes fifty for all', async () => {
    const faults = (count: number) => Array.from({ length: count }, (_, index) => `fault ${index}`);
    const refused = (text: string, count: number) =>
      recordConfiguration(documents, read(text, { outcome: 'refused', hash: null, faults: faults(count) }));
    await refused('a', 50);
    await refused('b', 51);
    await refused('c', 63);
    const kept = (await configurationHistory(documents)).map((record) => record.faults);
    expect(kept.map(({ length }) => length)).to.deep.equal([51, 51, 50]);
    expect(kept.map((each) => each.at(-1))).to.deep.equal([
      '13 further faults',
      '1 further fault',
      'fault 49',
    ]);
  });

  it('takes two numbers for two things that are read at once', async () => {
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => recordConfiguration(documents, read(text))));
    expect(await numbers()).to.deep.equal([4, 3, 2, 1]);
  });

  it(`keeps the last ${KEPT_CONFIGURATIONS}, what is pinned, and what was last in force from the files and at all`, async () => {
    for (let i = 1; i <= 5; i++)
      await recordConfiguration(documents, read(`text ${i}`, { hash: `${i}`.repeat(12) }));
    await recordConfiguration(documents, read('text 2', { restored: 2 }));
    await writePin(documents, { number: 2, filesHash: null, by: 'ada' });
    for (let i = 0; i < KEPT_CONFIGURATIONS + 3; i++)
      await recordConfiguration(documents, read(`bad ${i}`, { outcome: 'refused', hash: null }));
    const kept = await numbers();
    expect(kept).to.have.lengthOf(KEPT_CONFIGURATIONS + 3);
    expect(kept.slice(-3)).to.deep.equal([6, 5, 2]);
    expect(await lastFilesHash(documents)).to.equal('555555555555');
  });

  it('tells of files that are too large to keep, without their texts', async () => {
    await recordConfiguration(documents, read('x'.repeat(2_000_001)));
    const [found] = await configurationHistory(documents);
    expect(found?.files).to.equal(null);
    expect(found?.sha256).to.match(/^[0-9a-f]{64}$/);
    expect(found?.organizationId).to.equal(INSTALLATION);
  });
});
