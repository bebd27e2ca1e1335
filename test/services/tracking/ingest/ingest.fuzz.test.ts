/** Bodies and addresses made to break ingest: whatever comes, no 5xx, and all of a request is stored or nothing. */
import { expect } from 'chai';
import fc from 'fast-check';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import { FIELDS, shown } from '../event-bounds.ts';
import { createTrackingFixture, type TrackingFixture } from '../tracking-fixture.ts';

const PATHS = ['/track', '/events', '/vitals', '/errors', '/batch', '/', '/identify'] as const;
const RUNS = 250;

/** Text that engines stumble over. */
const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.constantFrom(
    '\0',
    '\ud800',
    '\udfff\ud800',
    '\uFEFF',
    '__proto__',
    'constructor',
    'NaN',
    '1e999',
    "'--",
    '%',
  ),
);
const oddKey = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'type',
    'eventName',
    'traits',
    'profileId',
  ),
  fc.constantFrom(...Object.keys(FIELDS), 'websiteId'),
  oddText,
);
const oddNumber = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 5e-324, 1.7976931348623157e308, 2 ** 53 + 2, -(2 ** 63), 8.64e15, 8.64e15 + 1),
);
const { value: oddValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    oddText,
    oddNumber,
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(oddKey, tie('value')), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
  ),
}));
/** Objects that are nearly events: every field as it should be or, one time in thirty, odd; so that some are taken. */
const nearlyEvent = fc
  .record(
    Object.fromEntries(
      Object.entries(FIELDS).map(([field, { accepted }]) => [
        field,
        fc.oneof(
          { weight: 29, arbitrary: fc.constantFrom(...accepted.slice(0, 3)) },
          { weight: 1, arbitrary: oddValue },
        ),
      ]),
    ),
    { requiredKeys: ['name', 'message', 'metricName', 'metricValue'] },
  )
  .chain((event) => oddValue.map((profileId) => ({ ...event, profileId })));

describe('ingest under hostile requests', () => {
  let service: TrackingFixture;

  before(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com' });
  });
  after(() => service.close());

  /** Events that are stored, and those that were found to be stored before, by their eventId: fields have few values. */
  async function taken(): Promise<{ stored: number; repeated: number }> {
    return { stored: Number(await service.count()), repeated: service.counts.of('repeated') };
  }

  /** Asserts that `count` events were taken since, and that none is called a repeat but for its `eventId`. */
  async function expectTaken(since: { stored: number; repeated: number }, count: number, label: string) {
    const { stored, repeated } = await taken();
    expect(stored - since.stored + (repeated - since.repeated), label).to.equal(count);
    if (!label.includes('eventId')) expect(repeated, label).to.equal(since.repeated);
  }

  /** Sends, and asserts that all of it is stored or nothing; the status. */
  async function send(path: string, body: string | Uint8Array): Promise<number> {
    const before = await taken();
    const answer = await service.post(path, body, { search: '?client_id=web_1' });
    const label = `${path} ${Buffer.from(body).includes('eventId') ? 'with eventId ' : ''}${shown(String(body))}`;
    expect(answer.status, label).to.be.oneOf([200, 400, 403]);
    const count = path === '/identify' ? 0 : Number(answer.body.count ?? answer.body.processed ?? 1);
    await expectTaken(before, answer.status === 200 ? count : 0, label);
    return answer.status;
  }

  it('takes or refuses any JSON', async () => {
    const body = fc.oneof(
      oddValue,
      fc.array(oddValue, { maxLength: 3 }),
      fc.array(nearlyEvent, { maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS), body, async (path, value) => {
        await send(path, JSON.stringify(value));
      }),
      { numRuns: RUNS },
    );
  });

  it('takes or refuses what is nearly an event, and takes some', async () => {
    let answered = 0;
    const known = {
      name: 'known',
      eventId: 'e-1',
      profileId: null,
      message: 'm',
      metricName: 'LCP',
      metricValue: 1,
    };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom<string>(...PATHS), nearlyEvent, async (path, event) => {
        if ((await send(path, JSON.stringify(event))) === 200) answered += 1;
      }),
      { numRuns: RUNS, examples: Array.from({ length: 2 }, (): [string, typeof known] => ['/track', known]) },
    );
    expect(answered).to.be.greaterThan(10);
    expect(service.counts.of('repeated')).to.be.greaterThan(0);
  });

  it('refuses bytes that are no JSON, and takes broken UTF-8 inside texts as replacement characters', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...PATHS),
        fc.uint8Array({ minLength: 1, maxLength: 60 }),
        async (path, bytes) => {
          await send(path, bytes);
          const start = Buffer.from(
            '{"name":"bytes","message":"m","metricName":"LCP","metricValue":1,"profileId":"u","title":"',
          );
          const inText = bytes.filter((byte) => byte >= 0x20 && byte !== 0x22 && byte !== 0x5c);
          expect(await send(path, Buffer.concat([start, inText, Buffer.from('"}')]))).to.equal(200);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('lets the last of two equal keys count, and keeps prototypes out of reach', async () => {
    const needed = '"message":"m","metricName":"LCP","metricValue":1,"profileId":"u"';
    for (const path of PATHS) {
      expect(await send(path, `{"name":7,${needed},"name":"twice"}`)).to.equal(200);
      const proto =
        '"__proto__":{"name":"polluted","websiteId":"web_none"},"constructor":{"prototype":{"name":1}}';
      expect(await send(path, `{"name":"proto",${needed},${proto}}`)).to.equal(200);
    }
    expect(await service.stored('twice')).to.have.length(4);
    expect(await service.stored('polluted')).to.deep.equal([]);
    expect(({} as Record<string, unknown>).name).to.equal(undefined);
  });

  it('survives nesting that would exhaust the stack, in any place of any route', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    for (const path of PATHS) {
      for (const field of ['properties', 'traits', 'name', 'timestamp', 'type', 'websiteId', 'ignored']) {
        await send(path, `{"name":"deep","${field}":${deep}}`);
      }
      expect(await send(path, deep)).to.equal(400);
      expect(
        await send(path, `{"name":"d","profileId":"u","properties":{"a":${deep}},"traits":{"a":${deep}}}`),
      ).to.equal(400);
    }
  });

  it('takes or refuses any query string of the pixel', async () => {
    const headers = await service.identity.headersFor(PUBLIC_CALLER, 'GET /px.gif');
    const query = fc.array(fc.tuple(oddKey, oddText), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(query, async (entries) => {
        const before = await taken();
        const text = entries.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&');
        const answer = await fetch(`${service.url}/px.gif?client_id=web_1&${text}`, { headers });
        await answer.arrayBuffer();
        expect(answer.status, text).to.be.oneOf([200, 400, 403]);
        const label = entries.some(([key]) => key === 'eventId') ? `with eventId ${text}` : text;
        await expectTaken(before, answer.status === 200 ? 1 : 0, label);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Percent-encoding of every unit, halves of characters too, which make broken UTF-8. */
function encode(text: string): string {
  return [...Buffer.from(text, 'utf16le')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}
