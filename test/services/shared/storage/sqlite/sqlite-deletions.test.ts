/** What is deleted leaves the document file and its log: no byte of it is found there afterwards. */
import { expect } from 'chai';
import Database from 'libsql';
import { createSqliteDocumentStore } from '../../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { contentOf } from '../../../../support/file-content.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';
import { createTestClock } from '../../../../support/test-clock.ts';
import { until } from '../../../../support/until.ts';

const MARK = 'kournikova';
/** Some documents of several pages, and some that need pages of their own. */
const PEOPLE = 600;

describe('deleted documents', () => {
  let directory: TempDirectory;
  let path: string;

  beforeEach(() => {
    directory = createTempDirectory();
    path = directory.file('documents.sqlite');
  });
  afterEach(() => directory.remove());

  const open = () => createSqliteDocumentStore({ path, clock: createTestClock(), emptyLogAfterMs: 20 });
  type Store = ReturnType<typeof open>;
  /** How often the mark stands in the file and its log. */
  const found = () =>
    [path, `${path}-wal`].reduce((sum, file) => sum + contentOf(file).split(MARK).length - 1, 0);
  const idOf = (i: number) => `prf_${String((i * 7919) % PEOPLE).padStart(4, '0')}`;
  const isMarked = (i: number) => i % 3 === 0;

  async function fill(store: Store): Promise<void> {
    for (let i = 0; i < PEOPLE; i++) {
      const name = isMarked(i) ? `${MARK}-${i}` : `other-${i}`;
      await store.profiles.insert({
        id: idOf(i),
        organizationId: 'org_a',
        websiteId: null,
        profileId: name,
        traits: { name, text: `${name} `.repeat(i % 50 === 0 ? 400 : 3) },
      });
    }
  }
  async function removeMarked(store: Store): Promise<void> {
    for (let i = 0; i < PEOPLE; i++) if (isMarked(i)) await store.profiles.remove('org_a', idOf(i));
  }

  it('leave no byte in the file and its log, seconds after they were deleted', async () => {
    const store = open();
    await fill(store);
    expect(found()).to.be.greaterThan(PEOPLE);
    await removeMarked(store);
    await until('the mark is gone', () => found() === 0);
    expect(await store.profiles.all('org_a')).to.have.length((PEOPLE / 3) * 2);
    await store.close();
    expect(found()).to.equal(0);
  });

  it('leave no byte when the store is closed at once, and when they lay in the file before', async () => {
    const first = open();
    await fill(first);
    await first.close();
    expect(found()).to.be.greaterThan(PEOPLE);
    const second = open();
    await removeMarked(second);
    await second.close();
    expect(found()).to.equal(0);
  });

  it('leave the log as soon as no other process reads any more, and hold nobody up until then', async () => {
    const store = open();
    await fill(store);
    const reader = new Database(path);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM profiles').get();
    await removeMarked(store);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(found(), 'the reader still sees them').to.be.greaterThan(0);
    expect(await store.profiles.get('org_a', idOf(1))).to.not.equal(null);
    reader.exec('COMMIT');
    reader.close();
    await until('the mark is gone', () => found() === 0);
    await store.close();
  });
});
