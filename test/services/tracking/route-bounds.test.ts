/** Every rule of an event on every ingest route: what is at its bound is taken, what is beyond is named, and nothing is stored of it. */
import { expect } from 'chai';
import { PUBLIC_CALLER } from '../../../services/shared/access/caller.ts';
import { FIELDS, shown, x } from './event-bounds.ts';
import { createTrackingFixture, type TrackingFixture, toAnswer } from './tracking-fixture.ts';

interface RouteUnderTest {
  readonly path: string;
  /** An event that the route takes. */
  readonly base: Readonly<Record<string, unknown>>;
  /** Whether the event's name is the route's, whatever it says itself. */
  readonly named?: string;
}

/** Routes that take arrays. */
const ROUTES: readonly RouteUnderTest[] = [
  { path: '/events', base: { eventName: 'clicked' } },
  { path: '/vitals', base: { metricName: 'LCP', metricValue: 1 }, named: 'web_vitals' },
  { path: '/errors', base: { message: 'broken' }, named: 'error' },
  { path: '/batch', base: { type: 'custom', name: 'batched' } },
];

/** What is absent is a fault where the route needs it, and none elsewhere. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  web_vitals: ['metricName', 'metricValue'],
  error: ['message'],
};

describe('every ingest route', () => {
  let service: TrackingFixture;

  before(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com' });
  });
  after(() => service.close());

  for (const { path, base, named } of ROUTES) {
    describe(`POST ${path}`, () => {
      for (const [field, { accepted, refused }] of Object.entries(FIELDS)) {
        if (field === 'name' && named !== undefined) continue;
        it(`${field}: takes what is within its bounds, and names each element where it is beyond`, async () => {
          const within = accepted.map((value) => ({ ...base, [field]: value }));
          const taken = await service.post(path, within);
          expect(taken.status, JSON.stringify(taken.body.details)).to.equal(200);
          expect(taken.body.count ?? taken.body.processed).to.equal(within.length);

          const before = await service.count();
          const wrong = field === 'name' ? refused.filter((value) => (value ?? null) !== null) : refused;
          const beyond = [base, ...wrong.map((value) => ({ ...base, [field]: value }))];
          const answer = await service.post(path, beyond);
          expect(answer.status).to.equal(400);
          expect(answer.body).to.include({ success: false, status: 'error', code: 'VALIDATION_ERROR' });
          expect(answer.body.details?.map((detail) => detail.field)).to.deep.equal(
            wrong.map((_, i) => `events[${i + 1}].${field}`),
          );
          expect(await service.count()).to.equal(before);
        });
      }

      it('refuses an empty array, one of 101 and a body that is no event; takes one of 100 and a single event', async () => {
        const before = Number(await service.count());
        for (const body of [[], Array(101).fill(base), 7, '"text"', null, true, ['x'], [[]]]) {
          const answer = await service.post(path, body);
          expect([answer.status, answer.body.code], shown(body)).to.deep.equal([400, 'VALIDATION_ERROR']);
        }
        expect(await service.count()).to.equal(before);
        expect((await service.post(path, Array(100).fill(base))).status).to.equal(200);
        expect((await service.post(path, base)).status).to.equal(200);
        expect(await service.count()).to.equal(before + 101);
      });

      for (const needed of NEEDED[named ?? ''] ?? []) {
        it(`refuses an event without ${needed}, which is nothing without it`, async () => {
          const { [needed]: _, ...without } = base;
          for (const event of [without, { ...base, [needed]: null }]) {
            const answer = await service.post(path, event);
            expect(answer.body.details?.map(({ field }) => field)).to.deep.equal([needed]);
          }
        });
      }
    });
  }

  describe('POST /', () => {
    for (const [field, { accepted, refused }] of Object.entries(FIELDS)) {
      it(`${field}: takes what is within its bounds and names it when it is beyond`, async () => {
        const base = { type: 'custom', name: 'single' };
        const post = async (value: unknown) => ({
          value,
          answer: await service.post('/', { ...base, [field]: value }),
        });
        for (const { value, answer } of await Promise.all(accepted.map(post))) {
          expect(answer.status, shown(value)).to.equal(200);
        }
        const before = await service.count();
        for (const { value, answer } of await Promise.all(refused.map(post))) {
          expect(answer.status, shown(value)).to.equal(400);
          expect(answer.body.details?.map((detail) => detail.field)).to.deep.equal([field]);
        }
        expect(await service.count()).to.equal(before);
      });
    }

    it('takes one event and no array, which goes to /batch', async () => {
      const answer = await service.post('/', [{ type: 'custom', name: 'listed' }]);
      expect(answer.body.details).to.deep.equal([
        { field: 'body', message: 'Expected one object, received an array.' },
      ]);
    });
  });

  describe('events with a type', () => {
    it('names every fault of an event of unknown type at once', async () => {
      for (const type of ['nonsense', 7, {}, ['track'], '__proto__', 'constructor']) {
        const answer = await service.post('/batch', [{ type, path: x(2049) }]);
        expect(answer.body.details?.map(({ field }) => field).sort(), shown(type)).to.deep.equal([
          'events[0].name',
          'events[0].path',
          'events[0].type',
        ]);
      }
    });

    it('names eventName where the name came under that name', async () => {
      for (const path of ['/events', '/batch', '/']) {
        const answer = await service.post(path, { eventName: x(257) });
        expect(answer.body.details?.map(({ field }) => field)).to.deep.equal(['eventName']);
      }
    });
  });

  describe('GET /px.gif', () => {
    const send = async (fields: Readonly<Record<string, unknown>>) => {
      const text = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
      const entries = Object.entries(fields).map(([field, value]): [string, string] => [field, text(value)]);
      const query = new URLSearchParams([['website_id', 'web_1'], ...entries]);
      const headers = await service.identity.headersFor(PUBLIC_CALLER, 'GET /px.gif');
      return fetch(`${service.url}/px.gif?${query}`, { headers });
    };
    /** What each value of a field is answered. */
    const sendEach = (field: string, values: readonly unknown[]) =>
      Promise.all(values.map(async (value) => ({ value, answer: await send({ [field]: value }) })));
    /** Whether a value can be told from another kind, and sent, as text of an address. */
    const isTellable = (field: string, value: unknown): boolean => {
      if (value === undefined || value === null || JSON.stringify(value).length > 3_000) return false;
      // A query string holds no halves of characters.
      if (typeof value === 'string' && /\p{Surrogate}/u.test(value)) return false;
      const numeric = FIELDS[field]?.accepted.every((one) => typeof one === 'number') ?? false;
      if (field === 'properties' || field === 'timestamp') return value !== '';
      return numeric ? typeof value === 'number' : typeof value === 'string' && value !== '';
    };

    for (const [field, { accepted, refused }] of Object.entries(FIELDS)) {
      it(`${field}: takes what is within its bounds and names it when it is beyond`, async () => {
        const within = accepted.filter((one) => isTellable(field, one));
        for (const { value, answer } of await sendEach(field, within)) {
          expect(answer.status, shown(value)).to.equal(200);
          await answer.arrayBuffer();
        }
        const before = await service.count();
        // Text of an address tells no 'true' from true.
        const beyond = refused.filter(
          (one) => isTellable(field, one) && !(field === 'anonymizeVisitorIds' && one === 'true'),
        );
        for (const { value, answer } of await sendEach(field, beyond)) {
          expect(answer.status, shown(value)).to.equal(400);
          const { body } = await toAnswer(answer);
          expect(body.details?.map((detail) => detail.field)).to.deep.equal([field]);
        }
        expect(await service.count()).to.equal(before);
      });
    }
  });
});
