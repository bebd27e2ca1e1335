/** The contract of the websites' endpoints, status by status, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { everythingStored, withStored } from '../support/open-stored.ts';
import { bodyCases, protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createWebsite } from '../support/website-writes.ts';

const MIB = 1024 * 1024;

describe("the contract of the websites' endpoints", () => {
  let started: TestServer;
  const server = () => started;

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  const create = (fields: object = {}) => createWebsite(server(), fields);
  const audited = (id: string) =>
    withStored(server().dataDir, async (documents) =>
      (await documents.auditRecords.all('org_main'))
        .filter(({ targetId }) => targetId === id)
        .map(({ action, fields }) => [action, fields]),
    );

  describe('GET /v1/websites', () => {
    const route = { method: 'GET', path: '/v1/websites', wrongMethods: ['PUT', 'DELETE'] };

    it('answers 200 with a page of websites', async () => {
      const answer = await server().call('GET', `${route.path}?limit=1`, { key: server().keys.all });
      expectSuccess(answer);
      expect(answer.body.data).to.have.length(1);
      expect(answer.body.nextCursor).to.be.a('string');
    });

    it('answers 400 VALIDATION_ERROR to a faulty limit', async () => {
      expectError(
        await server().call('GET', `${route.path}?limit=0`, { key: server().keys.all }),
        400,
        'VALIDATION_ERROR',
      );
    });

    protectedRouteCases(server, route, 'read:data', 'trackOnly');
  });

  describe('GET /v1/websites/:id', () => {
    const route = { method: 'GET', path: '/v1/websites/web_shop', wrongMethods: ['POST'] };

    it('answers 200 with the website', async () => {
      const answer = await server().call('GET', route.path, { key: server().keys.all });
      expectSuccess(answer);
      expect(answer.body.data.domain).to.equal('shop.example.com');
    });

    it('answers 403 ACCESS_DENIED alike for a missing, a foreign and an unlisted website', async () => {
      for (const id of ['web_none', 'web_free', 'web_blog']) {
        const answer = await server().call('GET', `/v1/websites/${id}`, { key: server().keys.shopOnly });
        expectError(answer, 403, 'ACCESS_DENIED');
      }
    });

    protectedRouteCases(server, route, 'read:data', 'trackOnly');
  });

  describe('POST /v1/websites', () => {
    const body = { name: 'Taken', domain: 'taken.example.com' };
    const route = { method: 'POST', path: '/v1/websites', body, wrongMethods: ['PUT', 'DELETE'] };
    const post = (sent: unknown, key = server().keys.all) =>
      server().call('POST', route.path, { key, body: sent });

    it('answers 201 with the website, where it is found and its version', async () => {
      const settings = {
        allowedOrigins: ['https://app.example.com'],
        keylessTracking: false,
        timezone: 'Europe/Berlin',
      };
      const asked = { name: 'Full', domain: 'full.example.com', isPublic: true, settings };
      const answer = await post(asked);
      expectSuccess(answer, 201);
      const { id, createdAt, updatedAt, ...fields } = answer.body.data;
      expect(fields).to.deep.equal(asked);
      expect([createdAt, id]).to.satisfy(
        ([at, made]: string[]) => at === updatedAt && /^web_/.test(made ?? ''),
      );
      expect(answer.headers.get('location')).to.equal(`/v1/websites/${id}`);
      const found = await server().call('GET', `/v1/websites/${id}`, { key: server().keys.readOnly });
      expect(found.body.data).to.deep.equal(answer.body.data);
      expect(found.headers.get('etag')).to.equal(answer.headers.get('etag'));
      expect(await audited(id)).to.deep.equal([
        ['website.create', ['name', 'domain', 'isPublic', 'settings']],
      ]);
    });

    it('answers 400 VALIDATION_ERROR with every fault at once, and the normal form of an origin', async () => {
      const answer = await post({
        name: '',
        domain: 'ftp://shop.example.com',
        isPublic: 'yes',
        settings: { timezone: 'Berlin', allowedOrigins: ['https://App.example.com/'], keyless: true },
        isPublik: true,
      });
      expectError(answer, 400, 'VALIDATION_ERROR');
      const faults = Object.fromEntries(
        answer.body.details.map(({ field, suggestion }: { field: string; suggestion?: string }) => [
          field,
          suggestion ?? null,
        ]),
      );
      expect(faults).to.deep.equal({
        name: null,
        domain: null,
        isPublic: null,
        'settings.timezone': null,
        'settings.allowedOrigins[0]': 'https://app.example.com',
        'settings.keyless': 'settings.keylessTracking',
        isPublik: 'isPublic',
      });
      expectError(await post({}), 400, 'VALIDATION_ERROR');
    });

    it('refuses origins whose host is longer than any can be, so that no website grows to a megabyte', async () => {
      const hosted = (length: number) => `https://${'a'.repeat(length - 4)}.com`;
      const posted = (length: number) =>
        post({ name: 'Long', domain: 'long.example.com', settings: { allowedOrigins: [hosted(length)] } });
      const refused = await posted(254);
      expectError(refused, 400, 'VALIDATION_ERROR');
      expect(refused.body.details[0].field).to.equal('settings.allowedOrigins[0]');
      expect((await posted(253)).status).to.equal(201);
    });

    it('takes a domain as people paste it, and keeps the host', async () => {
      for (const [domain, kept] of [
        ['https://WWW.Pasted.example.com/path?x=1#y', 'pasted.example.com'],
        ['bücher.example', 'xn--bcher-kva.example'],
        ['192.0.2.7:8080', '192.0.2.7'],
      ] as const) {
        const { body: created, status } = await post({ name: 'Pasted', domain });
        expect([status, created.data?.domain]).to.deep.equal([201, kept]);
      }
    });

    it('refuses what names no host, or not plainly, and takes none for another', async () => {
      const before = await everythingStored(server().dataDir);
      for (const domain of [
        ...[
          '',
          ' ',
          'a b.example.com',
          'a..example.com',
          '-a.example.com',
          'u@a.example.com',
          'a_b.example.com',
        ],
        ...['ftp://a.example.com', 'mailto:a@example.com', 'https:/a.example.com', '/path', '7', '0x7f.1'],
        ...[`${'a'.repeat(64)}.example.com`, null, 7, ['a.example.com']],
      ]) {
        expectError(await post({ name: 'A', domain }), 400, 'VALIDATION_ERROR');
      }
      expect(await everythingStored(server().dataDir)).to.deep.equal(before);
    });

    it('answers 409 CONFLICT to another spelling of a domain that the organization has', async () => {
      const before = await everythingStored(server().dataDir);
      for (const domain of ['www.shop.example.com', 'SHOP.example.com', 'https://shop.example.com:8443/de']) {
        const answer = await post({ name: 'Again', domain });
        expectError(answer, 409, 'CONFLICT');
        const message = 'Another website of the organization has the domain "shop.example.com".';
        expect(answer.body.details).to.deep.equal([{ field: 'domain', message }]);
      }
      expect(await everythingStored(server().dataDir)).to.deep.equal(before);
    });

    it('answers 409 CONFLICT to a domain that the organization has, and names the field', async () => {
      const answer = await post({ name: 'Again', domain: 'shop.example.com' });
      expectError(answer, 409, 'CONFLICT');
      expect(answer.body.details.map(({ field }: { field: string }) => field)).to.deep.equal(['domain']);
    });

    it('lets one of 100 that create one domain at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => post({ name: 'Race', domain: 'race.example.com' })),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).to.deep.equal([201, ...Array(99).fill(409)]);
      const stored = await withStored(server().dataDir, (documents) => documents.websites.all('org_main'));
      expect(stored.filter(({ domain }) => domain === 'race.example.com')).to.have.length(1);
    });

    it('answers 403 ACCESS_DENIED to a website-specific key, and writes nothing', async () => {
      const before = await everythingStored(server().dataDir);
      expectError(
        await post({ name: 'Mine', domain: 'mine.example.com' }, server().keys.shopOnly),
        403,
        'ACCESS_DENIED',
      );
      expect(await everythingStored(server().dataDir)).to.deep.equal(before);
    });

    protectedRouteCases(server, route, 'manage:websites', 'readOnly');
    bodyCases(server, route, { maxBytes: MIB, acceptsText: false, streamed: true });
  });

  // Before the cases that use up the window of the other organization.
  it('lets two organizations have one domain', async () => {
    const body = { name: 'Shop', domain: 'shop.example.com' };
    expectSuccess(await server().call('POST', '/v1/websites', { key: server().keys.free, body }), 201);
  });

  it('pages by name and domain, and searches, within what the caller reaches', async () => {
    const list = async (search: string, key = server().keys.readOnly) =>
      (await server().call('GET', `/v1/websites?${search}`, { key })).body;
    await create({ name: 'Zebra', domain: 'aaa.search.example.com' });
    await create({ name: 'Aardvark', domain: 'zzz.search.example.com' });
    const names = ({ data }: { data: { name: string }[] }) => data.map(({ name }) => name);
    expect(names(await list('search=SEARCH.example&sort=name'))).to.deep.equal(['Aardvark', 'Zebra']);
    expect(names(await list('search=SEARCH.example&sort=-name'))).to.deep.equal(['Zebra', 'Aardvark']);
    const first = await list('search=search.example&sort=domain&limit=1');
    expect(names(first)).to.deep.equal(['Zebra']);
    const second = await list(`search=search.example&sort=domain&limit=1&cursor=${first.nextCursor}`);
    expect([names(second), second.nextCursor]).to.deep.equal([['Aardvark'], undefined]);
    expect(await list('search=search.example', server().keys.shopOnly)).to.deep.equal({
      success: true,
      data: [],
    });
    expect(
      (await list('search=o&sort=domain', server().keys.twoWebsites)).data.map(
        ({ id }: { id: string }) => id,
      ),
    ).to.deep.equal(['web_blog', 'web_shop']);
  });
});
