/** The contract of goals, status by status, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { bodyCases, protectedRouteCases } from '../support/route-cases.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { until } from '../support/until.ts';

const SIGNUP = { name: 'Signup', type: 'event', match: { op: 'eq', value: 'signup' } };

describe('the contract of goals', () => {
  let started: TestServer;
  const server = () => started;
  const create = (asked: object = {}, key = started.keys.all) =>
    started.call('POST', '/v1/goals', { key, body: { websiteId: 'web_shop', ...SIGNUP, ...asked } });
  const made = async (asked: object = {}) => {
    const answer = await create(asked);
    expectSuccess(answer, 201);
    return answer.body.data;
  };
  const patch = (id: string, body: unknown, key = started.keys.all, headers = {}) =>
    started.call('PATCH', `/v1/goals/${id}`, { key, body, headers });
  const faultsOf = (answer: Answer): string[] => {
    expectError(answer, 400, 'VALIDATION_ERROR');
    return answer.body.details.map((detail: { field: string }) => detail.field);
  };

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  it('shows nothing of them to another organization', async () => {
    const goal = await made();
    const key = started.keys.free;
    expect((await started.call('GET', '/v1/goals', { key })).body.data).to.deep.equal([]);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'Theirs' } : undefined;
      const answer = await started.call(method, `/v1/goals/${goal.id}`, { key, body });
      expectError(answer, 404, 'NOT_FOUND');
    }
    const after = await started.call('GET', `/v1/goals/${goal.id}`, { key: started.keys.all });
    expect(after.body.data).to.deep.equal(goal);
  });

  describe('POST /v1/goals', () => {
    const body = { ...SIGNUP, websiteId: 'web_shop', name: '' };
    const route = { method: 'POST', path: '/v1/goals', body, wrongMethods: ['PUT', 'DELETE'] };

    it('answers 201 with the goal, its place and its version', async () => {
      const asked = {
        name: 'Pro plan',
        type: 'page',
        match: { op: 'starts_with', value: '/thanks' },
        conditions: [{ field: 'properties.plan', op: 'in', value: ['pro', 'team'] }],
        revenueProperty: 'total',
        currency: 'EUR',
        position: 7,
      };
      const answer = await create(asked);
      expectSuccess(answer, 201);
      const { id, createdAt, updatedAt, ...data } = answer.body.data;
      expect(id).to.match(/^gol_/);
      expect(answer.headers.get('location')).to.equal(`/v1/goals/${id}`);
      expect(answer.headers.get('etag')).to.equal('"1"');
      expect(createdAt).to.equal(updatedAt);
      const place = { organizationId: 'org_main', websiteId: 'web_shop', createdBy: 'key_all' };
      expect(data).to.deep.equal({ ...asked, ...place });
    });

    it('completes what is not named, and stands behind the last goal of its website', async () => {
      const first = await made({ websiteId: 'web_blog' });
      const { conditions, revenueProperty, currency, position } = first;
      expect({ conditions, revenueProperty, currency, position }).to.deep.equal({
        ...{ conditions: [], revenueProperty: null, currency: null, position: 0 },
      });
      await made({ websiteId: 'web_blog', position: 90_000 });
      expect((await made({ websiteId: 'web_blog' })).position).to.equal(91_000);
      await made({ websiteId: 'web_blog', position: 999_999_999 });
      expect((await made({ websiteId: 'web_blog' })).position).to.equal(999_999_999);
    });

    it('answers 400 VALIDATION_ERROR with every fault at once, unknown fields by the nearest one', async () => {
      const answer = await create({
        name: 'x'.repeat(101),
        type: 'visit',
        match: { op: 'matches', value: '(' },
        conditions: [{ field: 'plan', op: 'eq', value: 'pro' }],
        revenueProperty: '',
        currency: 'Euro',
        position: -1,
        revenuProperty: 'total',
      });
      const places = ['name', 'type', 'match.value', 'conditions[0].field', 'revenueProperty'];
      expect(faultsOf(answer)).to.have.members([...places, 'currency', 'position', 'revenuProperty']);
      const unknown = answer.body.details.at(-1);
      expect(unknown.suggestion).to.equal('revenueProperty');
      const conditions = Array.from({ length: 6 }, () => ({ field: 'properties.a', op: 'present' }));
      expect(faultsOf(await create({ conditions }))).to.deep.equal(['conditions']);
      expect(faultsOf(await create({ websiteId: undefined }))).to.deep.equal(['websiteId']);
    });

    it('takes a currency only for revenue', async () => {
      expect(faultsOf(await create({ currency: 'EUR' }))).to.deep.equal(['currency']);
      const goal = await made({ revenueProperty: 'total', currency: 'EUR' });
      expect(faultsOf(await patch(goal.id, { revenueProperty: null }))).to.deep.equal(['currency']);
      const changed = await patch(goal.id, { revenueProperty: null, currency: null });
      expectSuccess(changed);
      expect(changed.body.data).to.include({ revenueProperty: null, currency: null });
    });

    it('answers 403 ACCESS_DENIED alike for a missing, a foreign and an unlisted website', async () => {
      for (const websiteId of ['web_none', 'web_free', 'web_blog']) {
        expectError(await create({ websiteId }, started.keys.shopOnly), 403, 'ACCESS_DENIED');
      }
      for (const websiteId of ['web_none', 'web_free']) {
        expectError(await create({ websiteId }), 403, 'ACCESS_DENIED');
      }
      expectSuccess(await create({}, started.keys.shopOnly), 201);
    });

    protectedRouteCases(server, route, 'manage:websites', 'readOnly');
    bodyCases(server, route, { maxBytes: 262_144, acceptsText: false });
  });

  describe('GET /v1/goals', () => {
    const route = { method: 'GET', path: '/v1/goals', wrongMethods: ['PUT', 'DELETE'] };
    const list = (query: string, key = started.keys.all) => started.call('GET', `/v1/goals${query}`, { key });
    const namesOf = (answer: Answer): string[] => {
      expectSuccess(answer);
      return answer.body.data.map((goal: { name: string }) => goal.name);
    };

    before(async () => {
      await made({ name: 'Listed second', position: 20 });
      await made({ name: 'Listed third', position: 100, websiteId: 'web_blog' });
      await made({ name: 'Listed first', position: 3 });
    });

    it('orders by position as numbers, by name or creation where asked, and searches names', async () => {
      const byPosition = ['Listed first', 'Listed second', 'Listed third'];
      expect(namesOf(await list('?search=LISTED'))).to.deep.equal(byPosition);
      expect(namesOf(await list('?search=listed&sort=-position'))).to.deep.equal(byPosition.toReversed());
      expect(namesOf(await list('?search=listed&sort=createdAt'))[0]).to.equal('Listed second');
      expect(namesOf(await list('?search=listed&sort=name'))).to.deep.equal(byPosition);
    });

    it('pages without overlap', async () => {
      const first = await list('?search=listed&limit=2');
      expect(namesOf(first)).to.deep.equal(['Listed first', 'Listed second']);
      const second = await list(`?search=listed&limit=2&cursor=${encodeURIComponent(first.body.nextCursor)}`);
      expect(namesOf(second)).to.deep.equal(['Listed third']);
      expect(second.body).to.not.have.property('nextCursor');
    });

    it('shows those of one website, and a key of single websites none but theirs', async () => {
      for (const name of ['website_id', 'websiteId']) {
        expect(namesOf(await list(`?search=listed&${name}=web_blog`))).to.deep.equal(['Listed third']);
      }
      const own = await list('?search=listed', started.keys.shopOnly);
      expect(namesOf(own)).to.deep.equal(['Listed first', 'Listed second']);
      for (const id of ['web_blog', 'web_free', 'web_none']) {
        expectError(await list(`?website_id=${id}`, started.keys.shopOnly), 403, 'ACCESS_DENIED');
      }
      expectError(await list('?website_id=web_blog&websiteId=web_shop'), 400, 'VALIDATION_ERROR');
    });

    it('answers 400 VALIDATION_ERROR to a faulty sort, limit, cursor or parameter', async () => {
      for (const query of ['?sort=type', '?limit=0', '?cursor=x', '?website=web_shop']) {
        expectError(await list(query), 400, 'VALIDATION_ERROR');
      }
    });

    protectedRouteCases(server, route, 'read:data', 'linksOnly');
  });

  for (const [method, scope, lacking] of [
    ['GET', 'read:data', 'linksOnly'],
    ['PATCH', 'manage:websites', 'readOnly'],
    ['DELETE', 'manage:websites', 'readOnly'],
  ] as const) {
    describe(`${method} /v1/goals/:id`, () => {
      const body = method === 'PATCH' ? { name: 'changed' } : undefined;
      const path = '/v1/goals/gol_none';
      const route = { method, path, ...(body && { body }), wrongMethods: ['POST', 'PUT'] };
      const ask = (id: string, key: string, headers: Record<string, string> = {}) =>
        started.call(method, `/v1/goals/${id}`, { key, body, headers });

      it('answers 403 to a key of other websites, and the goal stays', async () => {
        const goal = await made({ websiteId: 'web_blog' });
        expectError(await ask(goal.id, started.keys.shopOnly), 403, 'ACCESS_DENIED');
        const after = await started.call('GET', `/v1/goals/${goal.id}`, { key: started.keys.all });
        expect(after.body.data).to.deep.equal(goal);
      });

      if (method !== 'GET') {
        it('answers 412 PRECONDITION_FAILED to an If-Match of another version, and obeys the right one', async () => {
          const goal = await made();
          const wrong = await ask(goal.id, started.keys.all, { 'if-match': '"2"' });
          expectError(wrong, 412, 'PRECONDITION_FAILED');
          const right = await ask(goal.id, started.keys.shopOnly, { 'if-match': '"1"' });
          expectSuccess(right, method === 'DELETE' ? 204 : 200);
        });
      }

      protectedRouteCases(server, route, scope, lacking);
    });
  }

  describe('PATCH /v1/goals/:id', () => {
    it('merges: what is not named stays, its position too', async () => {
      const goal = await made({ position: 42, revenueProperty: 'total' });
      const answer = await patch(goal.id, { name: 'New' });
      expectSuccess(answer);
      expect(answer.headers.get('etag')).to.equal('"2"');
      const { updatedAt, ...rest } = answer.body.data;
      expect({ ...rest, updatedAt: goal.updatedAt }).to.deep.equal({ ...goal, name: 'New' });
      expect((await patch(goal.id, { position: 5 })).body.data).to.include({ name: 'New', position: 5 });
    });

    it('never changes the website, and says so', async () => {
      const goal = await made();
      const answer = await patch(goal.id, { websiteId: 'web_blog' });
      expect(faultsOf(answer)).to.deep.equal(['websiteId']);
      expect(answer.body.error).to.match(/^websiteId: This is read-only\./);
    });

    it('lets one of two writers of a version win', async () => {
      const goal = await made();
      const write = (name: string) => patch(goal.id, { name }, started.keys.all, { 'if-match': '"1"' });
      const statuses = (await Promise.all([write('one'), write('two')])).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([200, 412]);
    });
  });

  it('goes with its website', async () => {
    const website = { name: 'Short', domain: 'short.example.com' };
    const { id } = (await started.call('POST', '/v1/websites', { key: started.keys.all, body: website })).body
      .data;
    const goal = await made({ websiteId: id });
    const gone = await started.call('DELETE', `/v1/websites/${id}`, { key: started.keys.all });
    expectSuccess(gone, 204);
    await until('the goal is removed', async () => {
      const answer = await started.call('GET', `/v1/goals/${goal.id}`, { key: started.keys.all });
      return answer.status === 404;
    });
  });
});
