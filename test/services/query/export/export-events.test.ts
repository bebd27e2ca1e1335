/** The export of raw events: each exactly once however it is cut, in bounded pieces, and ended with its caller. */
import { expect } from 'chai';
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import type { EventStore, RawRow } from '../../../../services/shared/ports/event-store.ts';
import { allLines, linesOf } from '../../../support/lines.ts';
import { describeOnEngines } from '../../../support/query/engines.ts';
import { eventRecord } from '../../../support/query/event.ts';
import { expectError } from '../../../support/query/expect-error.ts';
import { type StartedQueryService, startQueryService } from '../../../support/query/start-query-service.ts';
import { withRun } from '../../../support/query/with-run.ts';
import { until } from '../../../support/until.ts';

const NOW = Date.parse('2025-04-02T10:00:00.000Z');
const DAYS = 'start_date=2025-03-01&end_date=2025-03-02';
const WEBSITE = `/v1/export?website_id=web_a&${DAYS}`;

type Line = Readonly<Record<string, unknown>>;

/** Some 700 events of few instants: many of one instant, and some alike in everything. */
const OF_WEBSITE: EventRecord[] = [
  ...Array.from({ length: 400 }, (_, index) =>
    eventRecord({ at: '2025-03-01T00:00:00.000Z', event_id: `same-${index}`, anonymous_id: `v${index % 7}` }),
  ),
  ...Array.from({ length: 20 }, () => eventRecord({ at: '2025-03-01T12:00:00.000Z', path: '/twin' })),
  ...Array.from({ length: 300 }, (_, index) =>
    eventRecord({
      at: new Date(Date.parse('2025-03-01T13:00:00.000Z') + Math.floor(index / 3) * 1_000).toISOString(),
      event_name: 'signup',
      event_id: `later-${index}`,
      properties: '{"plan":"pro","n":1}',
      is_bot: index % 10 === 0,
      load_time: 12.5,
    }),
  ),
  eventRecord({ at: '2025-03-02T23:59:59.999Z', event_id: 'last' }),
];
const ELSEWHERE: EventRecord[] = [
  eventRecord({ at: '2025-02-28T23:59:59.999Z', event_id: 'before' }),
  eventRecord({ at: '2025-03-03T00:00:00.000Z', event_id: 'after' }),
  eventRecord({ at: '2025-03-01T10:00:00.000Z', event_id: 'blog', website_id: 'web_b' }),
  eventRecord({ at: '2025-03-01T10:00:00.000Z', event_id: 'own', website_id: null }),
  eventRecord({
    at: '2025-03-01T10:00:00.000Z',
    event_id: 'foreign',
    website_id: 'web_c',
    organization_id: 'org_b',
  }),
];

/** An event as the export writes it. */
function exported({ timestamp, properties, ...event }: EventRecord): Line {
  const all = {
    ...event,
    timestamp: new Date(timestamp).toISOString(),
    properties: properties === null ? null : JSON.parse(properties),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

const sorted = (lines: readonly Line[]) =>
  lines.map((line) => JSON.stringify(Object.entries(line).sort(([a], [b]) => (a < b ? -1 : 1)))).sort();

describeOnEngines('an export', (start) => {
  let service: StartedQueryService;
  before(async () => {
    // In the order in which they would not come.
    const log = [...OF_WEBSITE, ...ELSEWHERE].reverse();
    service = await start({ log, now: NOW });
  });

  const open = (path: string) => service.open(path);

  /** All answers of an export, each of at most `limit` events. */
  async function follow(path: string, limit: number): Promise<Line[][]> {
    const answers: Line[][] = [];
    let cursor: unknown = null;
    do {
      const next = cursor === null ? '' : `&cursor=${String(cursor)}`;
      const response = await open(`${path}&limit=${limit}${next}`);
      expect(response.status).to.equal(200);
      const lines = await allLines<Line>(response);
      const last = lines.pop();
      expect(Object.keys(last ?? {})).to.deep.equal(['nextCursor']);
      expect(lines.length).to.be.at.most(limit);
      cursor = last?.nextCursor ?? null;
      if (cursor !== null) expect(lines).to.have.length(limit);
      answers.push(lines);
    } while (cursor !== null);
    return answers;
  }

  for (const limit of [100_000, 721, 720, 250, 37]) {
    it(`has every event of the website and range once, by time, in answers of ${limit}`, async () => {
      const answers = await follow(WEBSITE, limit);
      expect(answers).to.have.length(Math.ceil(OF_WEBSITE.length / limit));
      const events = answers.flat();
      expect(sorted(events)).to.deep.equal(sorted(OF_WEBSITE.map(exported)));
      const instants = events.map(({ timestamp }) => String(timestamp));
      expect(instants).to.deep.equal([...instants].sort());
    });
  }

  it('has the same order whatever the cuts', async () => {
    const whole = (await follow(WEBSITE, 100_000)).flat();
    expect((await follow(WEBSITE, 53)).flat()).to.deep.equal(whole);
  });

  it('goes on where it was though further events of the same instant arrive', async () => {
    const first = await allLines<Line>(await open(`${WEBSITE}&limit=100`));
    const cursor = first.pop()?.nextCursor;
    // Before and behind the place of the cursor, among those of its instant.
    const late = Array.from({ length: 100 }, (_, index) => `late-${index}`);
    await service.events.append(
      late.map((event_id) => eventRecord({ at: '2025-03-01T00:00:00.000Z', event_id })),
    );
    const rest = await allLines<Line>(await open(`${WEBSITE}&cursor=${String(cursor)}`));
    expect(rest.pop()).to.deep.equal({ nextCursor: null });
    const ids = [...first, ...rest].flatMap(({ event_id }) => (event_id === undefined ? [] : [event_id]));
    expect(new Set(ids).size).to.equal(ids.length);
    const before = OF_WEBSITE.flatMap(({ event_id }) => event_id ?? []);
    expect(ids).to.include.members(before);
    expect(ids.length - before.length).to.be.within(1, 99);
  });

  it('of the organization has the events of its websites and its own, and nobody else’s', async () => {
    const ids = (await follow(`/v1/export?${DAYS}`, 500)).flat().map(({ event_id }) => event_id);
    expect(ids).to.include.members(['blog', 'own', 'last', 'same-0']);
    expect(ids).to.not.include.members(['foreign']);
  });

  it('is its last line alone when there is nothing', async () => {
    const lines = await allLines<Line>(
      await open('/v1/export?website_id=web_a&start_date=2020-01-01&end_date=2020-01-01'),
    );
    expect(lines).to.deep.equal([{ nextCursor: null }]);
  });

  it('takes no cursor of another website or range', async () => {
    const lines = await allLines<Line>(await open(`${WEBSITE}&limit=1`));
    const cursor = String(lines.pop()?.nextCursor);
    for (const other of [
      `/v1/export?website_id=web_b&${DAYS}`,
      `/v1/export?${DAYS}`,
      '/v1/export?website_id=web_a&start_date=2025-03-01&end_date=2025-03-03',
    ]) {
      expectError(await service.call(`${other}&cursor=${cursor}`), 400, 'VALIDATION_ERROR');
    }
    expectError(await service.call(`${WEBSITE}&cursor=nonsense`), 400, 'VALIDATION_ERROR');
  });
});

describe('an export of much', () => {
  const TEXT = 'x'.repeat(64 * 1024);
  let service: StartedQueryService;
  let runs: number[] = [];
  let run: EventStore['run'];
  /** As many rows as asked for, for ever, each of a later instant. */
  const endless: EventStore['run'] = async (query) => {
    const { limit, at } = query.params;
    runs.push(Number(limit));
    return Array.from(
      { length: Number(limit) },
      (_, index): RawRow => ({ timestamp: Number(at) + index + 1, place: '7', title: TEXT }),
    );
  };
  before(async () => {
    const wrapEvents = (events: EventStore) => withRun(events, (query, read) => run(query, read));
    service = await startQueryService({ log: [], now: NOW, wrapEvents });
  });
  beforeEach(() => {
    runs = [];
    run = endless;
  });
  after(() => service.close());

  it('reads pages of a few megabytes, and none ahead of a caller who does not read', async () => {
    const left = new AbortController();
    const response = await service.open(WEBSITE, { signal: left.signal });
    // Exchanges enough for many more pages.
    for (let exchange = 0; exchange < 30; exchange++) await service.call('/v1/query/types');
    expect(runs.length).to.be.within(1, 10);
    const lines = linesOf<Line>(response);
    for (let line = 0; line < 1_000; line++) await lines.next();
    expect(Math.max(...runs) * TEXT.length).to.be.below(16 * 1024 * 1024);
    left.abort();
  });

  it('ends its query when the caller leaves', async () => {
    let state = 'none';
    const page = Array.from({ length: 101 }, (_, index): RawRow => ({ timestamp: index, place: '7' }));
    run = async (_query, { signal }) => {
      if (state === 'none') {
        state = 'begun';
        return page;
      }
      state = 'running';
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          state = 'ended';
          reject(signal.reason);
        });
      });
    };
    const left = new AbortController();
    const response = await service.open(WEBSITE, { signal: left.signal });
    expect((await linesOf<Line>(response).next()).done).to.equal(false);
    await until('the second page is read', () => state === 'running');
    left.abort();
    await until('its query ends', () => state === 'ended');
  });

  it('ends with the error in place of the cursor when a later page fails', async () => {
    run = async (query, read) => {
      if (runs.length > 0) throw new Error('a secret of the store');
      return endless(query, read);
    };
    const lines = await allLines<Line>(await service.open(WEBSITE));
    expect(lines.at(-1)).to.include({ success: false, code: 'INTERNAL_ERROR' });
    expect(JSON.stringify(lines.at(-1))).to.not.contain('secret');
    expect(lines.slice(0, -1).every(({ title }) => title === TEXT)).to.equal(true);
  });
});
