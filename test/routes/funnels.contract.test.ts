/** The contract of funnels, status by status, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { bodyCases, protectedRouteCases } from '../support/route-cases.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { until } from '../support/until.ts';

const page = (value: string) => ({ type: 'page', match: { op: 'eq', value } });
const STEPS = [page('/cart'), { name: 'Paid', type: 'event', match: { op: 'eq', value: 'purchase' } }];

describe('the contract of funnels', () => {
  let started: TestServer;
  const server = () => started;
  const create = (asked: object = {}, key = started.keys.all) =>
    started.call('POST', '/v1/funnels', {
      ...{ key, body: { websiteId: 'web_shop', name: 'Checkout', steps: STEPS, ...asked } },
    });
  const made = async (asked: object = {}) => {
    const answer = await create(asked);
    expectSuccess(answer, 201);
    return answer.body.data;
  };
  const patch = (id: string, body: unknown, key = started.keys.all, headers = {}) =>
    started.call('PATCH', `/v1/funnels/${id}`, { key, body, headers });
  const faultsOf = (answer: Answer): string[] => {
    expectError(answer, 400, 'VALIDATION_ERROR');
    return answer.body.details.map((detail: { field: string }) => detail.field);
  };

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  it('shows nothing of them to another organization', async () => {
    const funnel = await made();
    const key = started.keys.free;
    expect((await started.call('GET', '/v1/funnels', { key })).body.data).to.deep.equal([]);
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { name: 'Theirs' } : undefined;
      const answer = await started.call(method, `/v1/funnels/${funnel.id}`, { key, body });
      expectError(answer, 404, 'NOT_FOUND');
    }
    const after = await started.call('GET', `/v1/funnels/${funnel.id}`, { key: started.keys.all });
    expect(after.body.data).to.deep.equal(funnel);
  });

  describe('POST /v1/funnels', () => {
    const body = { websiteId: 'web_shop', name: 'Checkout', steps: [] };
    const route = { method: 'POST', path: '/v1/funnels', body, wrongMethods: ['PUT', 'DELETE'] };

    it('answers 201 with the funnel, its place and its version', async () => {
      const asked = { steps: STEPS, ordered: false, windowSeconds: 60, exclude: page('/refund') };
      const answer = await create(asked);
      expectSuccess(answer, 201);
      const { id, createdAt, updatedAt, ...data } = answer.body.data;
      expect(id).to.match(/^fnl_/);
      expect(answer.headers.get('location')).to.equal(`/v1/funnels/${id}`);
      expect(answer.headers.get('etag')).to.equal('"1"');
      expect(createdAt).to.equal(updatedAt);
      const place = { organizationId: 'org_main', websiteId: 'web_shop', createdBy: 'key_all' };
      expect(data).to.deep.equal({ name: 'Checkout', ...asked, ...place });
    });

    it('is ordered, within a week and without exclusion where nothing is named', async () => {
      const { ordered, windowSeconds, exclude } = await made();
      expect({ ordered, windowSeconds, exclude }).to.deep.equal({
        ...{ ordered: true, windowSeconds: 604_800, exclude: null },
      });
    });

    it('answers 400 VALIDATION_ERROR with every fault at once, and to fewer than 2 steps and more than 20', async () => {
      const answer = await create({
        name: '',
        steps: [page('/cart'), { ...page(''), nam: 'Paid' }],
        ordered: 'yes',
        windowSeconds: 0,
        exclude: { type: 'page' },
        window: 60,
      });
      const places = ['name', 'steps[1].match.value', 'steps[1].nam', 'ordered', 'windowSeconds'];
      expect(faultsOf(answer)).to.have.members([...places, 'exclude.match', 'window']);
      for (const length of [0, 1, 21]) {
        const steps = Array.from({ length }, () => page('/cart'));
        expect(faultsOf(await create({ steps })), String(length)).to.deep.equal(['steps']);
      }
      expectSuccess(await create({ steps: Array.from({ length: 20 }, () => page('/cart')) }), 201);
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

  describe('GET /v1/funnels', () => {
    const route = { method: 'GET', path: '/v1/funnels', wrongMethods: ['PUT', 'DELETE'] };
    const list = (query: string, key = started.keys.all) =>
      started.call('GET', `/v1/funnels${query}`, { key });
    const namesOf = (answer: Answer): string[] => {
      expectSuccess(answer);
      return answer.body.data.map((funnel: { name: string }) => funnel.name);
    };

    before(async () => {
      await made({ name: 'Listed beta' });
      await made({ name: 'Listed alpha', websiteId: 'web_blog' });
    });

    it('searches names, sorts, and pages without overlap', async () => {
      expect(namesOf(await list('?search=LISTED'))).to.deep.equal(['Listed beta', 'Listed alpha']);
      const first = await list('?search=listed&sort=name&limit=1');
      expect(namesOf(first)).to.deep.equal(['Listed alpha']);
      const cursor = encodeURIComponent(first.body.nextCursor);
      const second = await list(`?search=listed&sort=name&limit=1&cursor=${cursor}`);
      expect(namesOf(second)).to.deep.equal(['Listed beta']);
    });

    it('shows those of one website, and a key of single websites none but theirs', async () => {
      expect(namesOf(await list('?search=listed&website_id=web_blog'))).to.deep.equal(['Listed alpha']);
      expect(namesOf(await list('?search=listed', started.keys.shopOnly))).to.deep.equal(['Listed beta']);
      expectError(await list('?website_id=web_blog', started.keys.shopOnly), 403, 'ACCESS_DENIED');
    });

    it('answers 400 VALIDATION_ERROR to a faulty sort, limit, cursor or parameter', async () => {
      for (const query of ['?sort=steps', '?limit=0', '?cursor=x', '?website=web_shop']) {
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
    describe(`${method} /v1/funnels/:id`, () => {
      const body = method === 'PATCH' ? { name: 'changed' } : undefined;
      const path = '/v1/funnels/fnl_none';
      const route = { method, path, ...(body && { body }), wrongMethods: ['POST', 'PUT'] };
      const ask = (id: string, key: string, headers: Record<string, string> = {}) =>
        started.call(method, `/v1/funnels/${id}`, { key, body, headers });

      it('answers 403 to a key of other websites, and the funnel stays', async () => {
        const funnel = await made({ websiteId: 'web_blog' });
        expectError(await ask(funnel.id, started.keys.shopOnly), 403, 'ACCESS_DENIED');
        const after = await started.call('GET', `/v1/funnels/${funnel.id}`, { key: started.keys.all });
        expect(after.body.data).to.deep.equal(funnel);
      });

      if (method !== 'GET') {
        it('answers 412 PRECONDITION_FAILED to an If-Match of another version, and obeys the right one', async () => {
          const funnel = await made();
          const wrong = await ask(funnel.id, started.keys.all, { 'if-match': '"2"' });
          expectError(wrong, 412, 'PRECONDITION_FAILED');
          const right = await ask(funnel.id, started.keys.shopOnly, { 'if-match': '"1"' });
          expectSuccess(right, method === 'DELETE' ? 204 : 200);
        });
      }

      protectedRouteCases(server, route, scope, lacking);
    });
  }

  describe('PATCH /v1/funnels/:id', () => {
    it('merges: what is not named stays, null takes the exclusion away, steps are replaced as a whole', async () => {
      const funnel = await made({ ordered: false, windowSeconds: 60, exclude: page('/refund') });
      const answer = await patch(funnel.id, { name: 'New', exclude: null });
      expectSuccess(answer);
      expect(answer.headers.get('etag')).to.equal('"2"');
      const { updatedAt, ...rest } = answer.body.data;
      expect({ ...rest, updatedAt: funnel.updatedAt }).to.deep.equal({
        ...{ ...funnel, name: 'New', exclude: null },
      });
      const steps = [page('/a'), page('/b'), page('/c')];
      expect((await patch(funnel.id, { steps })).body.data.steps).to.deep.equal(steps);
      expect(faultsOf(await patch(funnel.id, { steps: [page('/a')] }))).to.deep.equal(['steps']);
    });

    it('never changes the website, and says so', async () => {
      const answer = await patch((await made()).id, { websiteId: 'web_blog' });
      expect(faultsOf(answer)).to.deep.equal(['websiteId']);
      expect(answer.body.error).to.match(/^websiteId: This is read-only\./);
    });
  });

  it('goes with its website', async () => {
    const website = { name: 'Short', domain: 'short.example.com' };
    const answer = await started.call('POST', '/v1/websites', { key: started.keys.all, body: website });
    const { id } = answer.body.data;
    const funnel = await made({ websiteId: id });
    expectSuccess(await started.call('DELETE', `/v1/websites/${id}`, { key: started.keys.all }), 204);
    await until('the funnel is removed', async () => {
      const found = await started.call('GET', `/v1/funnels/${funnel.id}`, { key: started.keys.all });
      return found.status === 404;
    });
  });
});
