/** The contract of GET /v1/links/slug, and that it says what a write says. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

describe('GET /v1/links/slug', () => {
  let started: TestServer;
  const server = () => started;
  const create = (asked: object, key = started.keys.all) =>
    started.call('POST', '/v1/links', {
      key,
      body: { name: 'Sale', targetUrl: 'https://shop.example.com/', ...asked },
    });
  const route = { method: 'GET', path: '/v1/links/slug?slug=any-one', wrongMethods: ['POST', 'PATCH'] };
  const stateOf = async (slug: string, key = started.keys.all) => {
    const query = new URLSearchParams({ slug });
    const answer = await started.call('GET', `/v1/links/slug?${query}`, { key });
    expectSuccess(answer);
    expect(answer.body.data.slug).to.equal(slug);
    return answer.body.data.state;
  };

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  it('tells of every slug what a write would say of it, and keeps none', async () => {
    await create({ slug: 'judged-one' });
    const written: Readonly<Record<string, [status: number, message: RegExp]>> = {
      free: [201, /^$/],
      taken: [409, /is taken/],
      reserved: [400, /is reserved/],
      malformed: [400, /Allowed: 3 to 50/],
    };
    for (const [slug, state] of Object.entries({
      'judged-two': 'free',
      'Judged-one': 'free',
      'judged-one': 'taken',
      track: 'reserved',
      DASHBOARD: 'reserved',
      Admin: 'reserved',
      v1: 'reserved',
      '': 'malformed',
      ab: 'malformed',
      'a/b c': 'malformed',
      '../x': 'malformed',
      ['__proto__']: 'free',
      ['x'.repeat(51)]: 'malformed',
    })) {
      expect(await stateOf(slug), slug).to.equal(state);
      const [status, message] = written[state] ?? [];
      const answer = await create({ slug });
      expect(answer.status, slug).to.equal(status);
      const said = answer.body.details?.map((each: { message: string }) => each.message).join() ?? '';
      expect(said || (answer.body.error ?? ''), slug).to.match(message as RegExp);
    }
  });

  it('says to every organization that a slug is taken, and not whose', async () => {
    expectSuccess(await create({ slug: 'of-another' }, started.keys.free), 201);
    expect(await stateOf('of-another')).to.equal('taken');
    expect(await stateOf('of-another', started.keys.shopOnly)).to.equal('taken');
  });

  it('answers 400 VALIDATION_ERROR without a slug, and to one that is too long to judge', async () => {
    for (const query of ['', `?slug=${'x'.repeat(201)}`, '?slug=a-b&of=web_shop']) {
      const answer = await started.call('GET', `/v1/links/slug${query}`, { key: started.keys.all });
      expectError(answer, 400, 'VALIDATION_ERROR');
    }
  });

  protectedRouteCases(server, route, 'read:links', 'readOnly');
});
