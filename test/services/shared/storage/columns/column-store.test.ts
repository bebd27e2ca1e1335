/** Queries over segments and tails: what they see, what they share, what they wait for, and how they fail. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type {
  ColumnStore,
  ColumnStoreOptions,
} from '../../../../../services/shared/storage/columns/column-store.ts';
import {
  DAY,
  DAY_MS,
  duckdb,
  eventOf,
  IDS,
  ids,
  REACH,
  reachOf,
  WEBSITE,
} from '../../../../support/columns/asked-events.ts';
import { type ColumnEvents, columnEvents } from '../../../../support/columns/column-events.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { eventually } from '../../../../support/eventually.ts';
import { rejection } from '../../../../support/rejection.ts';

const ENDLESS = 'SELECT count(*) AS n FROM range(1000000000000) a, range(1000000) b';

describe('a column store', () => {
  let events: ColumnEvents;
  let store: ColumnStore;
  const start = async (options: Partial<ColumnStoreOptions> = {}) => {
    events = await columnEvents(options);
    store = events.store;
  };
  afterEach(() => events.remove());

  const seen = async (reach = REACH) => ids(await store.run(IDS, { reach }));

  it('reads the websites of its reach and, where it says so, the organization itself', async () => {
    await start();
    events.append([eventOf('a'), eventOf('b', 'web_b'), eventOf('o', null)]);
    events.append([eventRecord({ event_id: 'x', organization_id: 'org_b', website_id: null })]);
    expect(await seen()).to.deep.equal(['a']);
    expect(await seen(reachOf('web_b', 'web_a', 'web_b'))).to.deep.equal(['a', 'b']);
    expect(await seen({ ...reachOf('web_b'), organizationEvents: true })).to.deep.equal(['b', 'o']);
    expect(await seen(reachOf())).to.deep.equal([]);
    expect(await seen(reachOf('web_none'))).to.deep.equal([]);
  });

  it('brings only the segments that the range touches', async () => {
    await start();
    for (const day of [0, 1, 2]) {
      events.append([eventOf(`early ${day}`, 'web_a', day), eventOf(`late ${day}`, 'web_a', day + 0.5)]);
      await events.shelf.build(WEBSITE);
    }
    const within = (from: number, to: number) => ({
      ...REACH,
      range: { from: DAY + from * DAY_MS, to: DAY + to * DAY_MS },
    });
    expect(await seen(within(-1, 0))).to.deep.equal([]);
    expect(store.downloads).to.equal(0);
    expect(await seen(within(1, 1.1))).to.deep.equal(['early 1', 'late 1']);
    expect(store.downloads).to.equal(1);
    expect(await seen(within(1.5, 2))).to.deep.equal(['early 1', 'late 1']);
    expect(store.downloads).to.equal(1);
    expect(await seen()).to.have.length(6);
    expect(store.downloads).to.equal(3);
  });

  it('answers queries that come together after few looks, and each sees what was stored before it', async () => {
    await start({ concurrentQueries: 2 });
    events.append([eventOf('a')]);
    await seen();
    let looks = 0;
    const writers = events.log.writers.bind(events.log);
    events.log.writers = () => {
      looks++;
      return writers();
    };
    const many = Array.from({ length: 28 }, (_, i) =>
      store.run(duckdb(`SELECT event_id, ${i} AS i FROM events`), { reach: REACH }),
    );
    events.append([eventOf('b')]);
    const later = seen();
    for (const rows of await Promise.all(many)) expect(ids(rows)).to.include('a');
    expect(await later).to.deep.equal(['a', 'b']);
    expect(looks).to.be.at.most(3);
  });

  it('shares the run of a query, and looks again for those who joined while it waited for its turn', async () => {
    await start({ concurrentQueries: 1 });
    events.append([eventOf('a')]);
    await seen();
    const leaving = new AbortController();
    const busy = rejection(
      store.run(duckdb(ENDLESS), { reach: { ...REACH, organizationId: 'org_b' }, signal: leaving.signal }),
    );
    const first = seen();
    await new Promise((resolve) => setImmediate(resolve));
    events.append([eventOf('b')]);
    const joined = seen();
    expect(store.sharedQueries).to.equal(1);
    leaving.abort(new Error('left'));
    expect(await busy).to.have.property('message', 'left');
    expect(await joined).to.deep.equal(['a', 'b']);
    expect(await first).to.include('a');
  });

  it('leaves connections to others however many queries an organization has', async () => {
    await start({ concurrentQueries: 2 });
    const leaving = new AbortController();
    const busy = Array.from({ length: 5 }, (_, i) =>
      rejection(store.run(duckdb(`${ENDLESS} WHERE ${i} >= 0`), { reach: REACH, signal: leaving.signal })),
    );
    const other = { ...REACH, organizationId: 'org_b' };
    expect(await store.run(duckdb('SELECT 1 AS alive'), { reach: other })).to.deep.equal([{ alive: 1 }]);
    leaving.abort(new Error('left'));
    for (const fault of await Promise.all(busy)) expect(fault).to.have.property('message', 'left');
  });

  it('waits for first segments only for a while, and says when to come again', async () => {
    await start({ firstWaitMs: 1 });
    events.shelf.buildsFirst = false;
    const fault = await rejection(store.run(IDS, { reach: REACH }));
    expect(fault).to.deep.include({ kind: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '10' } });
    expect(fault).to.have.property('message').that.includes('being made ready for queries');
    events.shelf.buildsFirst = true;
    await eventually(seen).equals([]);
  });

  it('waits for the first segments of a partition, until its signal aborts', async () => {
    await start();
    events.shelf.buildsFirst = false;
    const leaving = new AbortController();
    const left = rejection(store.run(IDS, { reach: REACH, signal: leaving.signal }));
    await eventually(() => events.shelf.asked.length).equals(1);
    leaving.abort(new Error('left'));
    expect(await left).to.have.property('message', 'left');
    events.shelf.buildsFirst = true;
    expect(await seen()).to.deep.equal([]);
  });

  it('lets no query wait for first segments once it closes', async () => {
    await start();
    events.shelf.buildsFirst = false;
    const waiting = rejection(store.run(IDS, { reach: REACH }));
    await eventually(() => events.shelf.asked.length).equals(1);
    await store.close();
    expect(await waiting).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    expect(await rejection(store.run(IDS, { reach: REACH }))).to.include({ kind: 'SERVICE_UNAVAILABLE' });
  });

  it('fails while the source does, and sees everything afterwards', async () => {
    await start();
    events.append([eventOf('a')]);
    await seen();
    events.append([eventOf('b')]);
    events.log.fault = new Error('the server is gone');
    expect(await rejection(seen())).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    events.log.fault = null;
    expect(await seen()).to.deep.equal(['a', 'b']);
  });

  it('tells of a statement that cannot work, and goes on', async () => {
    await start();
    expect(await rejection(store.run(duckdb('SELECT nonsense FROM events'), { reach: REACH }))).to.include({
      kind: 'INTERNAL_ERROR',
    });
    for (const sql of [
      `COPY (SELECT 1) TO '${events.cache}/x'`,
      'SELECT 1; SELECT 2',
      "ATTACH ':memory:' AS y",
    ]) {
      expect(await rejection(store.run(duckdb(sql), { reach: REACH })), sql).to.include({
        kind: 'INTERNAL_ERROR',
      });
    }
    expect(await seen()).to.deep.equal([]);
  });

  it('reads no file of the machine besides its own', async () => {
    await start();
    for (const path of ['/etc/passwd', join(events.cache, '..', 'shelf', '*')]) {
      const sql = `SELECT * FROM read_text('${path}')`;
      expect(await rejection(store.run(duckdb(sql), { reach: REACH }))).to.include({
        kind: 'INTERNAL_ERROR',
      });
    }
  });

  it('answers while other queries take the room of its files', async () => {
    await start({ cacheBytes: 1, concurrentQueries: 3 });
    for (let i = 0; i < 6; i++) {
      events.append([eventOf(`${i}`, `web_${i}`)]);
      await events.shelf.build({ organizationId: 'org_a', websiteId: `web_${i}` });
    }
    const ask = async (worker: number) => {
      for (let i = 0; i < 12; i++) {
        const website = (worker + i) % 6;
        const rows = await store.run(duckdb(`SELECT event_id, ${worker} AS worker FROM events`), {
          reach: reachOf(`web_${website}`),
        });
        expect(ids(rows)).to.deep.equal([`${website}`]);
      }
    };
    await Promise.all([0, 0, 2, 4].map(ask));
    expect(store.downloads).to.be.greaterThan(6);
    await eventually(() => readdirSync(join(events.cache, '0', 'segments'))).equals([]);
  });

  it('lets a query end over what it began with, while its events move into segments', async () => {
    await start({ concurrentQueries: 3 });
    events.append(Array.from({ length: 20 }, (_, i) => eventOf(`${i}`)));
    const counting = duckdb('SELECT count(*) AS n, max(a.range) AS m FROM events, range(3000000) a');
    const slow = store.run(counting, { reach: REACH });
    for (let i = 0; i < 5; i++) {
      events.append([eventOf(`more ${i}`)]);
      await events.shelf.build(WEBSITE);
      expect(await seen()).to.have.length(21 + i);
    }
    const [row] = await slow;
    expect(Number(row?.n) % 3_000_000).to.equal(0);
    expect(Number(row?.n) / 3_000_000).to.be.within(20, 25);
  });

  it('asks for a build once a tail is long, from time to time', async () => {
    await start();
    await seen();
    events.shelf.asked.length = 0;
    events.log.batch = 10_000;
    events.append(Array.from({ length: 50_000 }, (_, i) => eventOf(`${i}`)));
    expect(await seen()).to.have.length(50_000);
    await seen();
    expect(events.shelf.asked).to.deep.equal([WEBSITE]);
    events.advance(10_000);
    await seen();
    expect(events.shelf.asked).to.have.length(2);
    await events.shelf.build(WEBSITE);
    events.advance(10_000);
    expect(await seen()).to.have.length(50_000);
    expect(events.shelf.asked).to.have.length(2);
  }).timeout(60_000);

  it('follows what was asked for lately, so that queries find little new, and forgets it later', async () => {
    await start({ followEveryMs: 20 });
    await seen();
    events.append([eventOf('a')]);
    await eventually(() => events.log.eventsRead).satisfies((read) => expect(read).to.be.greaterThan(0));
    expect(await seen()).to.deep.equal(['a']);
    events.advance(600_000);
    await eventually(() => store.partitions).equals(0);
    expect(await seen()).to.deep.equal(['a']);
  });
});
