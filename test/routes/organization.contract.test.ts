/** The contract of the organization's endpoints through the whole server: who may, what a write may name, who wins. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { bodyEnvelopeCases, protectedRouteCases, type RouteCase } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const PATH = '/v1/organization';
const ROUTES: readonly RouteCase[] = [
  { method: 'GET', path: PATH, wrongMethods: ['POST', 'PUT', 'DELETE'] },
  { method: 'PATCH', path: PATH, body: { name: 'Main' }, wrongMethods: ['POST', 'PUT', 'DELETE'] },
];

describe('the contract of the organization', () => {
  let started: TestServer;
  const server = () => started;

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  for (const route of ROUTES) {
    describe(`${route.method} ${route.path}`, () => {
      protectedRouteCases(server, route, 'manage:config', 'readOnly');
      if (route.body !== undefined)
        bodyEnvelopeCases(server, route, { maxBytes: 65_536, acceptsText: false, streamed: true });

      it('refuses a website-specific key with 403 ACCESS_DENIED, whatever it writes', async () => {
        const { shopOnly: key, all } = server().keys;
        const before = await read(all);
        for (const body of [route.body, {}, { slug: 'stolen' }]) {
          const call = route.body === undefined ? {} : { body };
          expectError(await server().call(route.method, PATH, { key, ...call }), 403, 'ACCESS_DENIED');
        }
        const { usage: _, ...after } = await read(all);
        const { usage: __, ...unchanged } = before;
        expect(after).to.deep.equal(unchanged);
      });
    });
  }

  async function read(key: string) {
    const answer = await server().call('GET', PATH, { key });
    expectSuccess(answer);
    return answer.body.data;
  }
  const change = (key: string, body: unknown, headers: Record<string, string> = {}) =>
    server().call('PATCH', PATH, { key, body, headers });

  it('shows an organization that a provisioning file made: no slug, UTC, the limits that bind it', async () => {
    const free = await read(server().keys.free);
    expect(free).to.deep.include({ id: 'org_free', slug: null, timezone: 'UTC', settings: {}, plan: 'free' });
    expect(free.limits).to.deep.equal({
      per10Seconds: 50,
      perMinute: 300,
      perDay: null,
      perMonth: null,
      customSqlPerMinute: 30,
      batchDatasetsPerMinute: 6000,
      batchEventsPerMinute: 60_000,
      publicPerMinute: 100,
      websites: 1000,
      links: 10_000,
      goals: 1_000,
      funnels: 1_000,
    });
    expect(free.ownLimits).to.deep.equal([]);
    const month = () => new Date().toISOString().slice(0, 7);
    const monthBefore = month();
    const main = await read(server().keys.all);
    expect(main.ownLimits).to.have.members(['per10Seconds', 'perMinute']);
    expect(main.limits).to.include({ per10Seconds: 1_000_000, perMinute: 1_000_000, customSqlPerMinute: 30 });
    expect(main.usage.months).to.have.length(12);
    expect(main.usage.month).to.be.oneOf([monthBefore, month()]);
  });

  it('changes what is named and nothing else, and only of the own organization', async () => {
    const { all, free } = server().keys;
    const { usage: _, ...before } = await read(free);
    const body = { name: 'Main & Söhne', slug: 'main-2', timezone: 'Europe/Berlin', settings: {} };
    const answer = await change(all, body);
    expectSuccess(answer);
    expect(answer.body.data).to.deep.include({ id: 'org_main', ...body });
    const renamed = await change(all, { name: 'Main' });
    expect(renamed.body.data).to.deep.include({ ...body, name: 'Main' });
    expect(renamed.headers.get('etag')).to.not.equal(answer.headers.get('etag'));
    const { usage: __, ...after } = await read(free);
    expect(after).to.deep.equal(before);
    expect((await change(all, { slug: null })).body.data.slug).to.equal(null);
  });

  it('refuses every faulty field at once, and says of plan, limits and usage that they are read-only', async () => {
    const { all } = server().keys;
    const before = (await read(all)).updatedAt;
    const body = {
      ...{ name: '', slug: 'Not A Slug', timezone: 'Mars/Base', settings: { dark: true } },
      ...{ plan: 'scale', limits: {}, ownLimits: [], usage: {}, id: 'org_free', nmae: 1 },
    };
    const answer = await change(all, body);
    expectError(answer, 400, 'VALIDATION_ERROR');
    const messages = new Map(
      answer.body.details.map(({ field, message }: { field: string; message: string }) => [field, message]),
    );
    expect([...messages.keys()]).to.have.members([
      ...['name', 'slug', 'timezone', 'settings.dark', 'plan', 'limits', 'ownLimits', 'usage', 'id', 'nmae'],
    ]);
    for (const field of ['plan', 'limits', 'ownLimits', 'usage', 'id'])
      expect(messages.get(field)).to.include('read-only');
    for (const slug of ['ab', 'a'.repeat(51), 'ümlaut', 'a_b', 'a b', 7, ['abc']]) {
      expectError(await change(all, { slug }), 400, 'VALIDATION_ERROR');
    }
    expect((await read(all)).updatedAt).to.equal(before);
  });

  it('refuses malformed JSON and JSON that is no object with 400 VALIDATION_ERROR', async () => {
    for (const body of ['{"name":', '7', '"text"', 'null', '[]']) {
      expectError(await change(server().keys.all, body), 400, 'VALIDATION_ERROR');
    }
  });

  it('gives a slug to one organization only, under parallel claims too', async () => {
    const { all, free } = server().keys;
    const answers = await Promise.all([all, free].map((key) => change(key, { slug: 'the-one' })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).to.deep.equal([200, 409]);
    const refused = answers[statuses.indexOf(409)];
    if (refused) expectError(refused, 409, 'CONFLICT');
  });

  it('lets one of two writers with If-Match win; the other gets 412 and changes nothing', async () => {
    const { all } = server().keys;
    const etag = (await server().call('GET', PATH, { key: all })).headers.get('etag') ?? '';
    const names = ['Writer one', 'Writer two'];
    const answers = await Promise.all(names.map((name) => change(all, { name }, { 'if-match': etag })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).to.deep.equal([200, 412]);
    expect((await read(all)).name).to.equal(names[statuses.indexOf(200)]);
    expect((await change(all, {}, { 'if-match': etag })).status).to.equal(412);
  });
});
