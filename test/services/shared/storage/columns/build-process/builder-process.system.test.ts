/** Builders in processes of their own: they build, are started again when they die, and end with their parents. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { expect } from 'chai';
import { BuilderProcess } from '../../../../../../services/shared/storage/columns/build-process/builder-process.ts';
import { DamagedSegment } from '../../../../../../services/shared/storage/columns/segment-set.ts';
import { SegmentWorkshop } from '../../../../../support/columns/segment-workshop.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { until } from '../../../../../support/until.ts';

const PARTITION = { organizationId: 'org_a', websiteId: 'web_a' };
const PARENT = new URL('../../../../../support/columns/parent-of-builder.js', import.meta.url).pathname;

const events = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) =>
    eventRecord({ website_id: 'web_a', event_id: `e${from + i}`, timestamp: (from + i) * 1_000 }),
  );

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a builder of segments in a process of its own', function () {
  this.timeout(180_000);
  const mongodb = useMongodb();
  let uri: string;
  let shop: SegmentWorkshop;
  let logged: string[];
  let open: BuilderProcess[];
  const { signal } = new AbortController();

  beforeEach(async () => {
    uri = mongodb.newUri();
    shop = await SegmentWorkshop.open(uri);
    logged = [];
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map((builder) => builder.close()));
    await shop.close();
  });

  const start = (of = uri) => {
    const log = (_: unknown, text?: string) => void logged.push(text ?? '');
    const builder = new BuilderProcess({
      uri: of,
      directory: shop.folder(),
      coldAfterDays: null,
      memoryMb: 128,
      lookEveryMs: 200,
      logger: { info: log, warn: log } as never,
    });
    open.push(builder);
    return builder;
  };

  it('builds what a query waits for, below the priority of its parent, and tells what it did', async () => {
    await shop.store(events(0, 30));
    const builder = start();
    await builder.first(PARTITION, signal);
    await shop.expectWhole(PARTITION);
    await until('it tells', () => builder.status.built === 1);
    expect(builder.status).to.deep.include({ failed: 0, events: 30, running: [], fault: null });
    expect(getPriority(builder.pid)).to.be.greaterThan(getPriority());
  });

  it('builds a partition that has many fresh events without being asked', async () => {
    await shop.store(events(0, 10));
    await shop.bench.sets.addFresh([{ partition: PARTITION, events: 5_000 }]);
    start();
    await until('it is visible', async () => (await shop.bench.sets.read(PARTITION)) !== null);
    await shop.expectWhole(PARTITION);
  });

  it('is started again when it is killed, and then builds what queries still wait for', async () => {
    await shop.store(events(0, 2_000));
    const builder = start();
    const first = builder.first(PARTITION, signal);
    const killed = builder.pid ?? 0;
    process.kill(killed, 'SIGKILL');
    await first;
    await shop.expectWhole(PARTITION);
    expect(builder.pid).not.to.equal(killed);
    expect(logged).to.include('the builder of segments ended and is started again');
  });

  it('builds anew what is damaged, also what it was told before it was ready', async () => {
    await shop.store(events(0, 30));
    await shop.bench.builder.buildPartition(PARTITION);
    const [segment] = (await shop.set(PARTITION)).segments;
    await shop.bench.files.remove([segment?.id ?? '']);
    start().damaged(PARTITION, new DamagedSegment(segment?.id ?? '', 'is missing'));
    await until('another file is there', async () => {
      const { segments } = await shop.set(PARTITION);
      return segments[0]?.id !== segment?.id;
    });
    await shop.expectWhole(PARTITION);
  });

  it('shares a database with another one: both serve who waits, and every event is in one segment', async () => {
    await shop.store(events(0, 1_000));
    const [one, two] = [start(), start()];
    await Promise.all([one, two].map((builder) => builder.first(PARTITION, signal)));
    await shop.expectWhole(PARTITION);
    await until('one of the two has built it', () => one.status.built + two.status.built > 0);
  });

  it('ends the wait with the caller, and with itself', async () => {
    const builder = start('mongodb://127.0.0.1:9/nobody?serverSelectionTimeoutMS=100');
    const leaving = new AbortController();
    const first = rejection(builder.first(PARTITION, leaving.signal));
    leaving.abort(new Error('the caller has left'));
    expect(await first).to.have.property('message', 'the caller has left');
    const waiting = rejection(builder.first(PARTITION, signal));
    await until('it says that it does not start', () =>
      logged.includes('the builder of segments does not start'),
    );
    await builder.close();
    expect(await waiting).to.have.property('kind', 'SERVICE_UNAVAILABLE');
  });

  it('closes in order, and leaves no process', async () => {
    const builder = start();
    await builder.first(PARTITION, signal);
    const { pid = 0 } = builder;
    await builder.close();
    expect(isAlive(pid)).to.equal(false);
  });

  it('is gone when its parent is killed', async () => {
    const parent = spawn(process.execPath, [PARENT, uri, shop.folder()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [text] = (await once(parent.stdout, 'data')) as [Buffer];
    const pid = Number(text);
    expect(isAlive(pid)).to.equal(true);
    parent.kill('SIGKILL');
    await until('the builder is gone', () => !isAlive(pid));
  });
});
