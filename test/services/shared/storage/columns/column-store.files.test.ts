/** Queries while files of segments are missing, damaged, replaced or of other columns, and the folder that keeps them. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type {
  ColumnStore,
  ColumnStoreOptions,
} from '../../../../../services/shared/storage/columns/column-store.ts';
import { SEGMENT_SCHEMA } from '../../../../../services/shared/storage/columns/segment-set.ts';
import { eventOf, IDS, ids, REACH, WEBSITE } from '../../../../support/columns/asked-events.ts';
import { type ColumnEvents, columnEvents } from '../../../../support/columns/column-events.ts';
import { eventually } from '../../../../support/eventually.ts';
import { rejection } from '../../../../support/rejection.ts';

describe('the files of a column store', () => {
  let events: ColumnEvents;
  let store: ColumnStore;
  const start = async (options: Partial<ColumnStoreOptions> = {}) => {
    events = await columnEvents(options);
    store = events.store;
  };
  afterEach(() => events.remove());

  const seen = async (reach = REACH) => ids(await store.run(IDS, { reach }));

  it('reports a file that is missing, and answers as soon as others take its place', async () => {
    await start();
    events.append([eventOf('a')]);
    await events.shelf.build(WEBSITE);
    const [segment] = events.shelf.setOf(WEBSITE).segments;
    if (!segment) throw new Error('no segment');
    writeFileSync(events.shelf.pathOf(segment.id), 'damaged');
    for (let attempt = 1; attempt <= 2; attempt++) {
      expect(await rejection(seen())).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      expect(events.shelf.reported.map((fault) => fault.segment)).to.deep.equal(
        Array(attempt).fill(segment.id),
      );
    }
    events.append([eventOf('b')]);
    await events.shelf.rewrite(WEBSITE, 0);
    expect(await seen()).to.deep.equal(['a', 'b']);
  });

  it('looks again where the files that it was about to read gave way to others', async () => {
    await start();
    events.append([eventOf('a'), eventOf('b')]);
    await events.shelf.build(WEBSITE);
    const bring = events.shelf.get.bind(events.shelf);
    let gone = 0;
    events.shelf.get = async (segment, path) => {
      if (gone++ === 0) {
        events.log.remove(new Set(['id_2']));
        await events.shelf.rewrite(WEBSITE, 1);
        rmSync(events.shelf.pathOf(segment.id));
      }
      return bring(segment, path);
    };
    expect(await seen()).to.deep.equal(['a']);
    expect(events.shelf.reported).to.deep.equal([]);
  });

  it('waits until segments of other columns were made anew', async () => {
    await start();
    events.append([eventOf('a')]);
    await events.shelf.build(WEBSITE);
    const set = events.shelf.setOf(WEBSITE);
    const segments = set.segments.map((segment) => ({ ...segment, schema: SEGMENT_SCHEMA - 1 }));
    events.shelf.replace({ ...set, segments });
    events.shelf.buildsFirst = false;
    const waiting = seen();
    await eventually(() => events.shelf.asked.length).equals(1);
    await events.shelf.rewrite(WEBSITE, 0);
    events.shelf.finishFirst();
    expect(await waiting).to.deep.equal(['a']);
  });

  it('brings a file again that went bad on this disk, and refuses until then', async () => {
    await start();
    events.append([eventOf('a')]);
    await events.shelf.build(WEBSITE);
    await seen();
    const folder = join(events.cache, '0', 'segments');
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      writeFileSync(file, Buffer.alloc(readFileSync(file).length, 7));
    }
    expect(await rejection(seen())).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    expect(await seen()).to.deep.equal(['a']);
    expect(store.downloads).to.equal(2);
  });

  it('keeps its files for the next store, and shares its folder with no other', async () => {
    await start();
    events.append([eventOf('a')]);
    await events.shelf.build(WEBSITE);
    await seen();
    const other = await events.open();
    await other.run(IDS, { reach: REACH });
    expect(other.downloads).to.equal(1);
    expect(readdirSync(events.cache)).to.include.members(['0', '1']);
    await store.close();
    const next = await events.open();
    expect(ids(await next.run(IDS, { reach: REACH }))).to.deep.equal(['a']);
    expect(next.downloads).to.equal(0);
  });
});
