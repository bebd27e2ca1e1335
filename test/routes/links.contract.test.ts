/** The contract of the short links' endpoints, status by status, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { bodyCases, protectedRouteCases } from '../support/route-cases.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const TARGET = 'https://shop.example.com/sale';

describe("the contract of the links' endpoints", () => {
  let started: TestServer;
  let made = 0;
  const server = () => started;
  const create = (asked: object = {}, key = started.keys.all) =>
    started.call('POST', '/v1/links', { key, body: { name: 'Sale', targetUrl: TARGET, ...asked } });
  /** A link of web_shop. */
  const shopLink = async (asked: object = {}) => {
    made++;
    const answer = await create({ slug: `made-${made}`, websiteId: 'web_shop', ...asked });
    expectSuccess(answer, 201);
    return answer.body.data;
  };

  before(async () => {
    started = await startTidegate();
    await create({ slug: 'fixed-one' });
  });
  after(() => started.close());

  describe('POST /v1/links', () => {
    const body = { name: 'Sale', targetUrl: 'none', websiteId: 'web_shop' };
    const route = { method: 'POST', path: '/v1/links', body, wrongMethods: ['PUT', 'DELETE'] };

    it('answers 201 with the link, its place and its version', async () => {
      const answer = await create({
        slug: 'Full_Link-1',
        websiteId: 'web_shop',
        expiresAt: '2030-01-01T02:00:00+02:00',
        expiredRedirectUrl: 'https://shop.example.com',
        iosUrl: 'https://apps.apple.com/app/1',
        androidUrl: 'https://play.google.com/store/apps/1',
        ogTitle: 'Sale',
        ogDescription: 'Of all',
        ogImageUrl: 'https://shop.example.com/sale.png',
        tags: ['poster', 'summer'],
      });
      expectSuccess(answer, 201);
      const { id, createdAt, updatedAt, ...data } = answer.body.data;
      expect(id).to.match(/^lnk_/);
      expect(answer.headers.get('location')).to.equal(`/v1/links/${id}`);
      expect(answer.headers.get('etag')).to.equal('"1"');
      expect(createdAt).to.equal(updatedAt);
      expect(data).to.deep.equal({
        organizationId: 'org_main',
        websiteId: 'web_shop',
        slug: 'Full_Link-1',
        name: 'Sale',
        targetUrl: TARGET,
        expiresAt: '2030-01-01T00:00:00.000Z',
        expiredRedirectUrl: 'https://shop.example.com/',
        iosUrl: 'https://apps.apple.com/app/1',
        androidUrl: 'https://play.google.com/store/apps/1',
        ogTitle: 'Sale',
        ogDescription: 'Of all',
        ogImageUrl: 'https://shop.example.com/sale.png',
        tags: ['poster', 'summer'],
        createdBy: 'key_all',
      });
    });

    it('keeps texts that every list can read again, whatever was sent', async () => {
      const link = await shopLink({ name: '\ud800A name\0', ogTitle: '\udfff', tags: ['\ud83d'] });
      expect([link.name, link.ogTitle, link.tags]).to.deep.equal(['\ufffdA name', '\ufffd', ['\ufffd']]);
      for (const sort of ['name', '-name', 'createdAt']) {
        const listed = await started.call('GET', `/v1/links?search=a%20name&sort=${sort}`, {
          key: started.keys.all,
        });
        expectSuccess(listed, 200);
        expect(listed.body.data.map(({ id }: { id: string }) => id)).to.deep.equal([link.id]);
      }
    });

    it('gives 8 random characters where no slug is named', async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => create()));
      const slugs = new Set(answers.map((answer) => answer.body.data.slug));
      expect(slugs.size).to.equal(5);
      for (const slug of slugs) expect(slug).to.match(/^[A-Za-z0-9_-]{8}$/);
    });

    it('answers 409 CONFLICT to a taken slug without a word of whose it is', async () => {
      await create({ slug: 'taken' });
      for (const key of [started.keys.all, started.keys.free]) {
        const answer = await create({ slug: 'taken' }, key);
        expectError(answer, 409, 'CONFLICT');
        expect(answer.body.error).to.equal('The slug "taken" is taken; choose another one.');
      }
      expectSuccess(await create({ slug: 'Taken' }), 201);
    });

    it('answers 400 VALIDATION_ERROR with every fault at once, unknown fields by the nearest one', async () => {
      const answer = await create({
        slug: 'a',
        name: '',
        targetUrl: 'ftp://x',
        tags: ['', 'a'],
        expireAt: 7,
      });
      expectError(answer, 400, 'VALIDATION_ERROR');
      const fields = answer.body.details.map((detail: { field: string }) => detail.field);
      expect(fields).to.have.members(['slug', 'name', 'targetUrl', 'tags[0]', 'expireAt']);
      const unknown = answer.body.details.find((detail: { field: string }) => detail.field === 'expireAt');
      expect(unknown).to.deep.include({
        message: 'Unknown field; did you mean "expiresAt"?',
        suggestion: 'expiresAt',
      });
      const { details } = (
        await started.call('POST', '/v1/links', { key: started.keys.all, body: { name: 'x' } })
      ).body;
      expect(details).to.have.length(1);
      expect(details[0].message).to.match(/^This is missing\. Allowed: an absolute http or https URL/);
      const listed = await started.call('GET', '/v1/links?website=web_shop', { key: started.keys.all });
      expect(listed.body.error).to.equal('website: Unknown field; did you mean "websiteId"?');
    });

    it('refuses every word that the service answers to, and those that it keeps free, in any case', async () => {
      const served = ['track', 'v1', 'health', 'identify', 'events', 'vitals', 'errors', 'batch'];
      const keptFree = ['admin', 'api', 'static', 'assets', 'metrics', 'robots', 'favicon'];
      for (const word of [...served, ...keptFree, 'TRACK', 'Admin'].filter(({ length }) => length > 2)) {
        const answer = await create({ slug: word });
        expectError(answer, 400, 'VALIDATION_ERROR');
        expect(answer.body.details, word).to.deep.equal([
          { field: 'slug', message: `"${word}" is reserved for the service itself. Choose another word.` },
        ]);
      }
    });

    it('answers 403 ACCESS_DENIED alike for a missing, a foreign and an unlisted website, and without one to a key of single websites', async () => {
      for (const websiteId of ['web_none', 'web_free', 'web_blog', null]) {
        expectError(await create({ websiteId }, started.keys.shopOnly), 403, 'ACCESS_DENIED');
      }
      for (const websiteId of ['web_none', 'web_free']) {
        expectError(await create({ websiteId }), 403, 'ACCESS_DENIED');
      }
      expectSuccess(await create({ websiteId: 'web_shop' }, started.keys.shopOnly), 201);
    });

    it('gives one slug to one of 100 parallel calls', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => create({ slug: 'contested' })));
      const statuses = answers.map((answer) => answer.status).sort();
      expect(statuses).to.deep.equal([201, ...Array.from({ length: 99 }, () => 409)]);
    });

    protectedRouteCases(server, route, 'write:links', 'linksOnly');
    bodyCases(server, route, { maxBytes: 65_536, acceptsText: false });
  });

  describe('GET /v1/links', () => {
    const route = { method: 'GET', path: '/v1/links', wrongMethods: ['PUT', 'DELETE'] };
    const list = (query: string, key = started.keys.all) => started.call('GET', `/v1/links${query}`, { key });
    const slugsOf = (answer: Answer): string[] => {
      expectSuccess(answer);
      return answer.body.data.map((link: { slug: string }) => link.slug);
    };

    before(async () => {
      await create({ slug: 'list-b', name: 'Listed beta', websiteId: 'web_blog', tags: ['Autumn'] });
      await create({ slug: 'list-a', name: 'Listed alpha', websiteId: 'web_shop' });
      await create({ slug: 'list-c', name: 'Listed gamma', targetUrl: 'https://gamma.example.org/x' });
    });

    it('searches names, slugs, targets and tags, and sorts', async () => {
      expect(slugsOf(await list('?search=LISTED&sort=name'))).to.deep.equal(['list-a', 'list-b', 'list-c']);
      expect(slugsOf(await list('?search=list-&sort=-slug'))).to.deep.equal(['list-c', 'list-b', 'list-a']);
      expect(slugsOf(await list('?search=gamma.example'))).to.deep.equal(['list-c']);
      expect(slugsOf(await list('?search=autumn'))).to.deep.equal(['list-b']);
    });

    it('pages without overlap', async () => {
      const first = await list('?search=listed&sort=slug&limit=2');
      expect(slugsOf(first)).to.deep.equal(['list-a', 'list-b']);
      const cursor = encodeURIComponent(first.body.nextCursor);
      const second = await list(`?search=listed&sort=slug&limit=2&cursor=${cursor}`);
      expect(slugsOf(second)).to.deep.equal(['list-c']);
      expect(second.body).to.not.have.property('nextCursor');
    });

    it('shows the links of one website, and a key of single websites none but theirs', async () => {
      for (const name of ['website_id', 'websiteId']) {
        expect(slugsOf(await list(`?${name}=web_blog`))).to.deep.equal(['list-b']);
      }
      const own = await list('?search=listed', started.keys.shopOnly);
      expect(slugsOf(own)).to.deep.equal(['list-a']);
      for (const id of ['web_blog', 'web_free', 'web_none']) {
        expectError(await list(`?website_id=${id}`, started.keys.shopOnly), 403, 'ACCESS_DENIED');
      }
      expect(slugsOf(await list('?website_id=web_blog&websiteId=web_blog'))).to.deep.equal(['list-b']);
      expectError(await list('?website_id=web_blog&websiteId=web_shop'), 400, 'VALIDATION_ERROR');
    });

    it('answers 400 VALIDATION_ERROR to a faulty sort, limit, cursor or parameter', async () => {
      for (const query of ['?sort=clicks', '?limit=0', '?cursor=x', '?site=web_shop']) {
        expectError(await list(query), 400, 'VALIDATION_ERROR');
      }
    });

    protectedRouteCases(server, route, 'read:links', 'readOnly');
  });

  for (const [method, scope, lacking] of [
    ['GET', 'read:links', 'readOnly'],
    ['PATCH', 'write:links', 'linksOnly'],
    ['DELETE', 'write:links', 'linksOnly'],
  ] as const) {
    describe(`${method} /v1/links/:id`, () => {
      const body = method === 'PATCH' ? { name: 'changed' } : undefined;
      const path = '/v1/links/lnk_none';
      const route = { method, path, ...(body && { body }), wrongMethods: ['POST', 'PUT'] };
      const ask = (id: string, key: string, headers: Record<string, string> = {}) =>
        started.call(method, `/v1/links/${id}`, { key, body, headers });

      it("answers 403 ACCESS_DENIED to a key of single websites for other websites' links and the organization's own, which stay", async () => {
        for (const websiteId of ['web_blog', null]) {
          const link = await shopLink({ websiteId });
          expectError(await ask(link.id, started.keys.shopOnly), 403, 'ACCESS_DENIED');
          const after = await started.call('GET', `/v1/links/${link.id}`, { key: started.keys.all });
          expect(after.body.data).to.deep.equal(link);
        }
      });

      if (method !== 'GET') {
        it('answers 412 PRECONDITION_FAILED to an If-Match of another version, and obeys the right one', async () => {
          const link = await shopLink();
          expectError(
            await ask(link.id, started.keys.all, { 'if-match': '"2"' }),
            412,
            'PRECONDITION_FAILED',
          );
          const right = await ask(link.id, started.keys.shopOnly, { 'if-match': '"1"' });
          expectSuccess(right, method === 'DELETE' ? 204 : 200);
        });
      }

      protectedRouteCases(server, route, scope, lacking);
    });
  }

  describe('PATCH /v1/links/:id', () => {
    const patch = (id: string, body: unknown, key = started.keys.all) =>
      started.call('PATCH', `/v1/links/${id}`, { key, body });

    it('merges: what is not named stays, null takes away', async () => {
      const link = await shopLink({ iosUrl: 'https://ios.example.com/', tags: ['a'] });
      const answer = await patch(link.id, { iosUrl: null, name: 'New' });
      expectSuccess(answer);
      expect(answer.headers.get('etag')).to.equal('"2"');
      const { updatedAt, ...rest } = answer.body.data;
      expect({ ...rest, updatedAt: link.updatedAt }).to.deep.equal({ ...link, iosUrl: null, name: 'New' });
    });

    it('answers 400 with every fault, 409 to a taken slug, and changes nothing', async () => {
      const link = await shopLink();
      const faulty = await patch(link.id, { name: null, targetUrl: 'javascript:alert(1)', slug: 'track' });
      expectError(faulty, 400, 'VALIDATION_ERROR');
      expect(faulty.body.details).to.have.length(3);
      expectError(await patch(link.id, { slug: 'fixed-one', name: 'x' }), 409, 'CONFLICT');
      expectError(await patch(link.id, { organizationId: 'org_free' }), 400, 'VALIDATION_ERROR');
      const after = await started.call('GET', `/v1/links/${link.id}`, { key: started.keys.all });
      expect(after.body.data).to.deep.equal(link);
    });

    it('moves a link only to where the caller reaches', async () => {
      const link = await shopLink();
      for (const websiteId of ['web_blog', 'web_free', 'web_none', null]) {
        expectError(await patch(link.id, { websiteId }, started.keys.shopOnly), 403, 'ACCESS_DENIED');
      }
      expectError(await patch(link.id, { websiteId: 'web_free' }), 403, 'ACCESS_DENIED');
      expect((await patch(link.id, { websiteId: 'web_blog' })).body.data.websiteId).to.equal('web_blog');
    });

    it('lets one of two writers of a version win', async () => {
      const link = await shopLink();
      const write = (name: string) =>
        started.call('PATCH', `/v1/links/${link.id}`, {
          key: started.keys.all,
          body: { name },
          headers: { 'if-match': '"1"' },
        });
      const statuses = (await Promise.all([write('one'), write('two')])).map(({ status }) => status);
      expect(statuses.sort()).to.deep.equal([200, 412]);
    });
  });
});
