/** What POST /track accepts in an event: every field at its bound and one beyond, all faults at once, difficult texts. */
import { expect } from 'chai';
import { wireEventSchema } from '../../../../services/tracking/record/wire-event.ts';
import { FIELDS, HOUR, NOW, shown, x } from '../event-bounds.ts';
import { createTrackingFixture, type TrackingFixture } from '../tracking-fixture.ts';

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
    for (const websiteId of ['', ' ', x(129), 7, 'web_1\0', 'web_1\ud800']) {
      const answer = await service.track({ name: 'beyond', websiteId });
      expect(
        answer.body.details?.map(({ field }) => field),
        shown(websiteId),
      ).to.deep.equal(['websiteId']);
    }
  });

  it('counts the keys of properties before it reads any of them', () => {
    let read = 0;
    const properties = new Proxy(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`p${i}`, i])), {
      get: (target, key) => {
        if (typeof key === 'string' && /^p\d/.test(key)) read++;
        return Reflect.get(target, key);
      },
    });
    const result = wireEventSchema.safeParse({ name: 'many', properties });
    expect(result.error?.issues.map(({ message }) => message)).to.deep.equal([
      'Expected at most 50 keys, received 51.',
    ]);
    expect(read).to.equal(0);
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
      { field: 'name', message: 'Expected text of 1 to 256 characters, received nothing.' },
      { field: 'scroll_depth', message: 'Expected a number of 0..100, received the number 101.' },
      { field: 'title', message: 'Expected at most 512 characters, received 513.' },
      {
        field: 'interaction_count',
        message: 'Expected a whole number of 0..1000000000, received the number 1.5.',
      },
      { field: 'source', message: 'Expected text of at most 64 characters, received the number 7.' },
    ]);
  });

  it('says that nothing came, that a parameter is repeated, and whose name link_click is', async () => {
    const empty = await service.track('');
    expect(empty.body.details?.map(({ message }) => message).join()).to.match(/body|received nothing/i);
    const text = await service.track('"text"');
    expect(text.body.details).to.deep.equal([
      { field: 'body', message: 'Expected an event or an array of 1..100 events, received text.' },
    ]);
    const repeated = await service.post('/track', { name: 'a' }, { search: '?website_id=a&website_id=b' });
    expect(repeated.body.details).to.deep.equal([
      {
        field: 'website_id',
        message: 'Expected text of 1 to 128 characters, received a repeated parameter.',
      },
    ]);
    const redirect = await service.track({ name: 'link_click' });
    expect(redirect.status).to.equal(400);
    expect(redirect.body.details).to.have.length(1);
    expect(redirect.body.details?.[0]).to.have.property('field', 'name');
    expect(redirect.body.details?.[0]?.message).to.include('link_click').and.include('redirects');
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
      const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
      const deep = nested(400_000);
      expect((await service.track(`{"name":"deep","properties":{"a":${deep}}}`)).status).to.equal(400);
      expect((await service.track(deep)).status).to.equal(400);
      expect((await service.track(`{"name":"deep","ignored":${deep}}`)).status).to.equal(400);
      expect((await service.track(`{"name":"deep","ignored":${nested(63)}}`)).status).to.equal(200);
    });

    it('takes keys that mean something to JavaScript as plain keys', async () => {
      const body = '{"name":"proto","__proto__":{"title":"x"},"properties":{"constructor":1,"toString":"a"}}';
      expect((await service.track(body)).status).to.equal(200);
      const [row] = await service.stored('proto');
      expect(row).to.include({ title: null, properties: '{"constructor":1,"toString":"a"}' });
    });
  });
});
