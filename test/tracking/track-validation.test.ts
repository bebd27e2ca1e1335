/** What POST /track accepts in an event: every field at its bound and one beyond, all faults at once, difficult texts. */
import { expect } from 'chai';
import { createTrackingFixture, type TrackingFixture } from './tracking-fixture.ts';

const KB = 1024;
const x = (length: number) => 'x'.repeat(length);
const keys = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i]));
/** Properties whose JSON has `bytes` bytes. */
const propertiesOf = (bytes: number) => ({ k: x(bytes - '{"k":""}'.length) });
const nested = (depth: number): unknown => (depth === 0 ? 1 : { a: nested(depth - 1) });

/** The clock of the fixture stands at this instant. */
const NOW = Date.UTC(2026, 6, 15, 12);
const HOUR = 3_600_000;

interface Bounds {
  readonly accepted: readonly unknown[];
  readonly refused: readonly unknown[];
}

function textBounds(most: number): Bounds {
  return { accepted: ['', x(most), 'é'.repeat(most)], refused: [x(most + 1), 7, true, {}, ['a']] };
}

function longTextBounds(kilobytes: number): Bounds {
  const most = kilobytes * KB;
  return { accepted: [x(most), 'é'.repeat(most / 2)], refused: [x(most + 1), `${'é'.repeat(most / 2)}x`, 7] };
}

const measureBounds: Bounds = { accepted: [0, 0.5, 1e9], refused: [-0.001, 1e9 + 1, '5', true, []] };
const countBounds: Bounds = { accepted: [0, 1, 1e9], refused: [-1, 1.5, 1e9 + 1, '5'] };
const sizeBounds: Bounds = {
  accepted: ['1920x1080', '1x1', ''],
  refused: ['1920', '1920*1080', 'axb', '123456x1', 5],
};

/** Bounds of datasets.md, "The record of an event". */
const FIELDS: Readonly<Record<string, Bounds>> = {
  name: { accepted: ['a', x(256), ' a '], refused: ['', '   ', x(257), null, undefined, 7, {}, '\0'] },
  timestamp: {
    accepted: [
      Date.UTC(2000, 0, 1),
      NOW + HOUR,
      NOW - 0.5,
      '2000-01-01',
      '2000-01-01T00:00:00Z',
      '2026-07-15T13:00:00.000Z',
      '2026-07-15T15:00:00+02:00',
      '2026-07-15T12:00',
    ],
    refused: [
      Date.UTC(2000, 0, 1) - 1,
      NOW + HOUR + 1,
      1_750_000_000,
      '1999-12-31T23:59:59.999Z',
      '2026-07-15T13:00:00.001Z',
      '2026-02-30',
      '2026-13-01T00:00:00Z',
      'yesterday',
      '',
      '15/07/2026',
      true,
      {},
    ],
  },
  anonymousId: textBounds(256),
  sessionId: textBounds(256),
  profileId: textBounds(128),
  eventId: textBounds(512),
  path: textBounds(2048),
  referrer: textBounds(2048),
  title: textBounds(512),
  utm_source: textBounds(256),
  utm_medium: textBounds(256),
  utm_campaign: textBounds(256),
  utm_term: textBounds(256),
  utm_content: textBounds(256),
  properties: {
    accepted: [{}, keys(50), propertiesOf(32 * KB), nested(32), { '': 1 }],
    refused: [keys(51), propertiesOf(32 * KB + 1), { k: 'é'.repeat(16 * KB) }, nested(33), [], 'a', 7],
  },
  namespace: textBounds(64),
  source: textBounds(64),
  anonymizeVisitorIds: { accepted: [true, false], refused: ['true', 1] },
  screen_resolution: sizeBounds,
  viewport_size: sizeBounds,
  timezone: textBounds(64),
  language: textBounds(35),
  time_on_page: measureBounds,
  scroll_depth: { accepted: [0, 33.3, 100], refused: [-1, 100.1, '50'] },
  interaction_count: countBounds,
  page_count: countBounds,
  load_time: measureBounds,
  ttfb: measureBounds,
  dom_ready_time: measureBounds,
  render_time: measureBounds,
  metricName: { accepted: ['FCP', 'LCP', 'CLS', 'INP', 'TTFB', 'FPS'], refused: ['fcp', 'FID', '', 1] },
  metricValue: { accepted: [0, -1, 0.01, 1e9], refused: ['1', 1e9 + 1] },
  message: longTextBounds(8),
  errorType: longTextBounds(8),
  filename: longTextBounds(8),
  stack: longTextBounds(32),
  lineno: countBounds,
  colno: countBounds,
  href: textBounds(2048),
  text: textBounds(256),
};

/** A value in the words of a test's message. */
function shown(value: unknown): string {
  const json = String(JSON.stringify(value));
  return json.length > 60 ? `${json.slice(0, 50)}… (${json.length} characters)` : json;
}

describe('POST /track validates', () => {
  let service: TrackingFixture;

  before(async () => {
    service = await createTrackingFixture();
    await service.website('web_1');
  });
  after(() => service.close());

  for (const [field, { accepted, refused }] of Object.entries(FIELDS)) {
    it(`${field}: takes what is within its bounds and names it when it is beyond`, async () => {
      for (const value of accepted) {
        const answer = await service.track({ name: 'within', [field]: value });
        expect(answer.status, shown(value)).to.equal(200);
      }
      for (const value of refused) {
        const answer = await service.track({ name: 'beyond', [field]: value });
        expect(answer.status, shown(value)).to.equal(400);
        expect(answer.body.code).to.equal('VALIDATION_ERROR');
        expect(
          answer.body.details?.map((detail) => detail.field),
          shown(value),
        ).to.deep.equal([field]);
        expect(answer.body.details?.[0]?.message, shown(value)).to.match(/^Expected /);
      }
      expect(await service.stored('beyond')).to.deep.equal([]);
    });
  }

  it('websiteId: refuses an empty one, one that is too long and one that is no text', async () => {
    for (const websiteId of ['', ' ', x(129), 7]) {
      const answer = await service.track({ name: 'beyond', websiteId });
      expect(
        answer.body.details?.map(({ field }) => field),
        shown(websiteId),
      ).to.deep.equal(['websiteId']);
    }
  });

  it('refuses an empty array and one of 101 events', async () => {
    for (const events of [[], Array(101).fill({ name: 'many' })]) {
      const answer = await service.track(events);
      expect(answer.status).to.equal(400);
      expect(answer.body.details).to.deep.equal([
        { field: 'events', message: `Expected 1..100 events, received ${events.length}.` },
      ]);
    }
    expect(await service.stored('many')).to.deep.equal([]);
  });

  it('names every fault of every element at once and stores none of them', async () => {
    const before = await service.count();
    const answer = await service.track([
      { name: 'fine' },
      { properties: [], utm_term: x(257), timestamp: NOW + 2 * HOUR },
      'no event',
      { name: 'fine' },
      null,
      { name: '', time_on_page: -1 },
      { name: 'fine', timestamp: '2026-07-15T13:00:00.001Z' },
    ]);
    expect(answer.status).to.equal(400);
    expect(answer.body.details?.map(({ field }) => field).sort()).to.deep.equal([
      'events[1].name',
      'events[1].properties',
      'events[1].timestamp',
      'events[1].utm_term',
      'events[2]',
      'events[4]',
      'events[5].name',
      'events[5].time_on_page',
      'events[6].timestamp',
    ]);
    expect(await service.count()).to.equal(before);
  });

  it('says what came and what is allowed', async () => {
    const answer = await service.track({
      scroll_depth: 101,
      title: x(513),
      interaction_count: 1.5,
      source: 7,
    });
    expect(answer.body.details).to.have.deep.members([
      { field: 'name', message: 'Expected text of at most 256 characters, received nothing.' },
      { field: 'scroll_depth', message: 'Expected a number of 0..100, received the number 101.' },
      { field: 'title', message: 'Expected at most 512 characters, received 513.' },
      {
        field: 'interaction_count',
        message: 'Expected a whole number of 0..1000000000, received the number 1.5.',
      },
      { field: 'source', message: 'Expected text of at most 64 characters, received the number 7.' },
    ]);
  });

  describe('difficult texts', () => {
    it('keeps emoji, quotes and control characters as they came', async () => {
      const text = `😀 "double" 'single' \\ \n\t 中文 '); DROP TABLE events; --`;
      await service.track({ name: 'kept', title: text, properties: { [text]: text } });
      const [row] = await service.stored('kept');
      expect(row?.title).to.equal(text);
      expect(JSON.parse(String(row?.properties))).to.deep.equal({ [text]: text });
    });

    it('replaces halves of characters and drops NUL, in texts, keys and nested values', async () => {
      const body =
        '{"name":"clean\\u0000ed","title":"a\\ud83db\\u0000c\\ude00","properties":{"k\\u0000\\ud800":["\\udfff",{"x":"\\u0000"}]}}';
      expect((await service.track(body)).status).to.equal(200);
      const [row] = await service.stored('cleaned');
      expect(row?.title).to.equal('a\uFFFDbc\uFFFD');
      expect(JSON.parse(String(row?.properties))).to.deep.equal({ 'k\uFFFD': ['\uFFFD', { x: '' }] });
    });

    it('never fails with 5xx for lone halves and NUL in any text field', async () => {
      const texts = Object.keys(FIELDS).filter((field) => FIELDS[field]?.accepted.includes(''));
      for (const field of texts) {
        const answer = await service.track(`{"name":"odd","${field}":"\\ud800\\u0000"}`);
        expect(answer.status, field).to.be.oneOf([200, 400]);
      }
    });

    it('refuses nesting that would exhaust the stack with 400, wherever it stands', async () => {
      const deep = '['.repeat(400_000) + ']'.repeat(400_000);
      expect((await service.track(`{"name":"deep","properties":{"a":${deep}}}`)).status).to.equal(400);
      expect((await service.track(deep)).status).to.equal(400);
      expect((await service.track(`{"name":"deep","ignored":${deep}}`)).status).to.equal(200);
    });

    it('takes keys that mean something to JavaScript as plain keys', async () => {
      const body = '{"name":"proto","__proto__":{"title":"x"},"properties":{"constructor":1,"toString":"a"}}';
      expect((await service.track(body)).status).to.equal(200);
      const [row] = await service.stored('proto');
      expect(row).to.include({ title: null, properties: '{"constructor":1,"toString":"a"}' });
    });
  });
});
