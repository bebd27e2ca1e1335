/** Cold events from end to end: a query process lets documents leave, and callers notice nothing, but for damage. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { mongo } from 'mongoose';
import { DATASETS } from '../../../services/query/datasets/index.ts';
import { SEGMENT_FILE_COLLECTION } from '../../../services/shared/storage/mongodb/segments/segment-files.ts';
import { benchProvisioning } from '../../bench/ingest-target.ts';
import { type DistributedSystem, startDistributed } from '../../support/distributed/start-distributed.ts';
import { freePort } from '../../support/free-port.ts';
import { type ServerProcess, startProcess } from '../../support/gateway-process.ts';
import { requireMongodb } from '../../support/mongodb/mongodb-server.ts';
import { withDatabase } from '../../support/mongodb/with-database.ts';
import { asked, inParts } from '../../support/query/asked-datasets.ts';
import { requireRedis } from '../../support/redis-server.ts';
import { restOfDay } from '../../support/rest-of-day.ts';
import { runCli } from '../../support/run-cli.ts';
import { newKeyText } from '../../support/test-organizations.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;
const WEBSITE = 'web_bench';
/** Days ago: the older half may leave. */
const AGES = Array.from({ length: 60 }, (_, i) => 1 + 2 * i);
const KEPT_DAYS = 30;

interface Answer {
  readonly data: readonly {
    readonly success: boolean;
    readonly data: readonly Record<string, unknown>[];
    readonly error?: { readonly code: string };
  }[];
}

interface StoredSegment {
  readonly id: string;
  readonly rows: number;
  readonly cold?: string;
}

describe('events that have gone cold in a query process', function () {
  this.timeout(480_000);
  const key = newKeyText();
  const now = Date.now();
  let system: DistributedSystem;
  let query: ServerProcess;
  let metricsPort: number;

  before(async function () {
    requireRedis(this);
    requireMongodb(this);
    system = await startDistributed({
      provisioning: benchProvisioning(key, [WEBSITE]),
      settings: { COLD_AFTER_DAYS: `${KEPT_DAYS}` },
      areReplaced: true,
    });
    query = system.services.query;
    metricsPort = await freePort();
  });
  after(async () => {
    await query?.end('SIGKILL');
    await system?.close();
  });

  const call = async (path: string, body: unknown) => {
    const answer = await fetch(`${system.origin}${path}`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Answer };
  };
  /** Two pageviews of one session a day, and something that was bought. */
  const eventsOf = (days: readonly number[], name: string) =>
    days.flatMap((day) =>
      [0, 1, 2].map((i) => ({
        eventId: `${name}-${day}-${i}`,
        name: i < 2 ? 'screen_view' : 'bought',
        timestamp: now - day * DAY_MS + i * 30_000,
        anonymousId: `anon_${day % 7}`,
        sessionId: `sess_${name}_${day}`,
        path: i === 0 ? '/' : `/${day % 5}`,
        properties: { value: day },
      })),
    );
  const ingest = async (days: readonly number[], name: string) => {
    const events = eventsOf(days, name);
    for (let from = 0; from < events.length; from += 100) {
      const { status, body } = await call(`/track?website_id=${WEBSITE}`, events.slice(from, from + 100));
      expect(status, JSON.stringify(body)).to.equal(200);
    }
  };
  const dateOf = (daysAgo: number) => new Date(now - daysAgo * DAY_MS).toISOString().slice(0, 10);
  const ask = (parameters: readonly unknown[], from = 130, to = 0) =>
    call(`/v1/query?website_id=${WEBSITE}`, { parameters, startDate: dateOf(from), endDate: dateOf(to) });
  /** Every dataset of websites. */
  async function everything(): Promise<unknown[]> {
    const results: unknown[] = [];
    const wanted = DATASETS.filter(({ ofLinks }) => !ofLinks).map(({ names }) => asked(names[0]));
    for (const some of inParts(wanted)) {
      const { status, body } = await ask(some);
      expect(status, JSON.stringify(body)).to.equal(200);
      results.push(...body.data.map(({ data, success }) => [success, data]));
    }
    return results;
  }
  const pageviews = async (from?: number, to?: number): Promise<unknown> => {
    const { status, body } = await ask(['summary_metrics'], from, to);
    const [result] = body.data ?? [];
    return status === 200 ? (result?.error?.code ?? result?.data[0]?.pageviews) : status;
  };
  const inDatabase = <R>(work: (connection: Connection) => Promise<R>) =>
    withDatabase(system.mongodbUri, work);
  const documents = () =>
    inDatabase((connection) => connection.collection('events').countDocuments({ website_id: WEBSITE }));
  const sets = (connection: Connection) => connection.collection<{ _id: string }>('segment_sets');
  const OF_WEBSITE = { _id: `org_bench/${WEBSITE}` };
  const stateOf = () =>
    inDatabase(async (connection) => {
      const found = (await sets(connection).findOne(OF_WEBSITE)) as unknown as {
        plan?: unknown;
        segments?: StoredSegment[];
      } | null;
      return { plan: found?.plan ?? null, segments: found?.segments ?? [] };
    });
  async function restart(meanwhile: () => void = () => undefined): Promise<void> {
    await query.end('SIGKILL');
    meanwhile();
    const PORT = new URL(query.origin).port;
    query = await startProcess('main-query', { ...system.environment, PORT, ADMIN_PORT: `${metricsPort}` });
    await until('the gateway has found it', async () => (await pageviews()) !== 502);
  }
  const metric = async (name: string) =>
    Number(
      new RegExp(`^${name} (\\d+)$`, 'm').exec(
        await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text(),
      )?.[1],
    );

  it('are in every answer as before, repeats and late ones too', async () => {
    // Some datasets are about today.
    await restOfDay(180_000);
    await ingest(AGES, 'first');
    const before = await everything();
    expect(await pageviews()).to.equal(2 * AGES.length);
    const settings = { MONGODB_URI: system.mongodbUri, DATA_DIR: system.folder };
    await until('all events are in segments', async () => {
      expect((await runCli(['segments', 'rebuild'], settings)).code).to.equal(0);
      const rows = (await stateOf()).segments.reduce((sum, { rows }) => sum + rows, 0);
      return rows === 3 * AGES.length;
    });
    // Its builder begins with a look for what may go cold.
    await restart();
    await until('what goes cold is planned', async () => (await stateOf()).plan !== null);
    expect(await documents()).to.equal(3 * AGES.length);
    // As if the plan had been made three days ago.
    await inDatabase((connection) =>
      sets(connection).updateOne(OF_WEBSITE, { $set: { 'plan.at': now - 3 * DAY_MS } }),
    );
    await restart();
    const old = AGES.filter((day) => day > KEPT_DAYS).length;
    await until('old documents have left', async () => (await documents()) === 3 * (AGES.length - old));
    await until('it tells so', async () => (await metric('tidegate_segments_cold_events')) === 3 * old);
    expect(await metric('tidegate_segments_cold_bytes')).to.be.above(0);
    expect((await stateOf()).segments.some(({ cold }) => cold === 'gone')).to.equal(true);
    expect(await everything()).to.deep.equal(before);

    await ingest([101], 'first');
    expect(await everything(), 'a repeat').to.deep.equal(before);
    await ingest([101], 'late');
    expect(await pageviews()).to.equal(2 * AGES.length + 2);
  });

  it('are refused with 503 while their file is damaged, never answered in part, and the rest is answered', async () => {
    const whole = await pageviews();
    const broken = (await stateOf()).segments.filter(({ cold }) => cold === 'gone');
    const ids = broken.map(({ id }) => new mongo.ObjectId(id));
    const files = await inDatabase(async (connection) => {
      const found = await connection
        .collection(SEGMENT_FILE_COLLECTION)
        .find({ _id: { $in: ids } })
        .toArray();
      await connection.collection(SEGMENT_FILE_COLLECTION).deleteMany({ _id: { $in: ids } });
      return found;
    });
    // As on a machine that has none of the files yet.
    await restart(() => rmSync(join(system.folder, 'columns'), { recursive: true }));
    expect(files.length).to.be.above(0);
    expect(await pageviews()).to.equal(503);
    expect(await pageviews(KEPT_DAYS - 5), 'a range that the file does not touch').to.equal(
      2 * AGES.filter((day) => day <= KEPT_DAYS - 5).length,
    );
    await until('it is told', async () => (await metric('tidegate_segments_damaged_partitions')) === 1);
    await inDatabase((connection) => connection.collection(SEGMENT_FILE_COLLECTION).insertMany(files));
    expect(await pageviews()).to.equal(whole);
  });
});
