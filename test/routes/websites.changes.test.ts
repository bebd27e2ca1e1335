/** The contract of changing and deleting websites, status by status, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { everythingStored, withStored } from '../support/open-stored.ts';
import { bodyEnvelopeCases, protectedRouteCases } from '../support/route-cases.ts';
import { type CallOptions, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createWebsite } from '../support/website-writes.ts';

const MIB = 1024 * 1024;

describe('the contract of changing and deleting websites', () => {
  let started: TestServer;
  const server = () => started;

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  const create = (fields: object = {}) => createWebsite(server(), fields);
  const change = (id: string, body: unknown, options: CallOptions = {}) =>
    server().call('PATCH', `/v1/websites/${id}`, { key: server().keys.all, body, ...options });
  const audited = (id: string) =>
    withStored(server().dataDir, async (documents) =>
      (await documents.auditRecords.all('org_main'))
        .filter(({ targetId }) => targetId === id)
        .map(({ action, fields }) => [action, fields]),
    );

  // Before the cases that use up the window of the other organization.
  it('changes and tells nothing to keys that do not reach the website or lack the scope', async () => {
    const before = await everythingStored(server().dataDir);
    const texts = new Set<string>();
    const { shopOnly, free, readOnly, linksOnly } = server().keys;
    for (const [key, id, code] of [
      ...['web_blog', 'web_free', 'web_none'].map((id) => [shopOnly, id, 'ACCESS_DENIED'] as const),
      ...['web_shop', 'web_none'].map((id) => [free, id, 'ACCESS_DENIED'] as const),
      ...[readOnly, linksOnly].map((key) => [key, 'web_shop', 'INSUFFICIENT_SCOPE'] as const),
    ]) {
      for (const [method, body] of [
        ['PATCH', { name: 'Stolen', domain: 'blog.example.com' }],
        ['PATCH', { name: 7 }],
        ['DELETE', undefined],
      ] as const) {
        const answer = await server().call(method, `/v1/websites/${id}`, { key, body });
        expectError(answer, 403, code);
        if (code === 'ACCESS_DENIED') texts.add(answer.body.error.replace(id, 'WEBSITE'));
      }
    }
    expect(texts.size).to.equal(1);
    expect(await everythingStored(server().dataDir)).to.deep.equal(before);
  });

  describe('PATCH /v1/websites/:id', () => {
    const route = {
      ...{ method: 'PATCH', path: '/v1/websites/web_shop', body: { name: 'Shop' } },
      wrongMethods: ['PUT', 'POST'],
    };

    it('answers 200 and changes what is named, setting by setting; null takes a setting away', async () => {
      const { id, domain } = await create({
        settings: { timezone: 'Europe/Berlin', keylessTracking: false },
      });
      const first = await change(id, {
        name: 'Changed',
        settings: { keylessTracking: null, allowedOrigins: [] },
      });
      expectSuccess(first);
      expect(first.body.data).to.deep.include({ name: 'Changed', domain, isPublic: false });
      expect(first.body.data.settings).to.deep.equal({ timezone: 'Europe/Berlin', allowedOrigins: [] });
      const second = await change(id, { domain: `other.${domain}`, isPublic: true });
      expect(second.body.data).to.deep.include({
        name: 'Changed',
        domain: `other.${domain}`,
        isPublic: true,
      });
      const nothing = await change(id, {});
      expect(nothing.headers.get('etag')).to.equal(second.headers.get('etag'));
      expect(await audited(id)).to.deep.equal([
        ['website.create', ['name', 'domain', 'settings']],
        ['website.change', ['name', 'settings']],
        ['website.change', ['domain', 'isPublic']],
      ]);
    });

    it('answers 400 to faults all at once, and 409 to a taken domain, and changes nothing', async () => {
      const { id } = await create();
      const before = await everythingStored(server().dataDir);
      const answer = await change(id, { name: null, settings: { timezone: 'x' }, id: 'web_other' });
      expectError(answer, 400, 'VALIDATION_ERROR');
      expect(answer.body.details).to.have.length(3);
      expectError(await change(id, { name: 'X', domain: 'shop.example.com' }), 409, 'CONFLICT');
      expect(await everythingStored(server().dataDir)).to.deep.equal(before);
    });

    it('takes a domain as people paste it, and answers 409 to another spelling of a taken one', async () => {
      const { id } = await create();
      const answer = await change(id, { domain: `HTTPS://WWW.${id.replace('_', '-')}.example.com:443/de` });
      expectSuccess(answer);
      expect(answer.body.data.domain).to.equal(`${id.replace('_', '-')}.example.com`);
      for (const domain of ['www.shop.example.com', 'https://Shop.example.com/'])
        expectError(await change(id, { domain }), 409, 'CONFLICT');
    });

    it('lets one of two writers with the same If-Match, and answers the other 412', async () => {
      const { id } = await create();
      const headers = { 'if-match': '"1"' };
      const answers = await Promise.all(['A', 'B'].map((name) => change(id, { name }, { headers })));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412]);
      for (const answer of answers.filter(({ status }) => status === 412)) {
        expectError(answer, 412, 'PRECONDITION_FAILED');
      }
    });

    it('lets one of a change and a deletion with the same If-Match', async () => {
      for (let round = 0; round < 5; round++) {
        const { id } = await create();
        const headers = { 'if-match': '"1"' };
        const removed = server().call('DELETE', `/v1/websites/${id}`, { key: server().keys.all, headers });
        const [changed, deleted] = await Promise.all([change(id, { name: 'A' }, { headers }), removed]);
        expect(`${changed.status} ${deleted.status}`).to.be.oneOf(['200 412', '412 204', '403 204']);
      }
    });

    protectedRouteCases(server, route, 'manage:websites', 'readOnly');
    bodyEnvelopeCases(server, route, { maxBytes: MIB, acceptsText: false, streamed: true });
  });

  describe('DELETE /v1/websites/:id', () => {
    const route = { method: 'DELETE', path: '/v1/websites/web_shop', wrongMethods: ['PUT', 'POST'] };

    it('answers 204, and the website is as if it had never been', async () => {
      const { id, domain } = await create();
      const remove = () => server().call('DELETE', `/v1/websites/${id}`, { key: server().keys.all });
      const answer = await remove();
      expectSuccess(answer, 204);
      expect(answer.body).to.equal(null);
      for (const method of ['GET', 'PATCH', 'DELETE']) {
        const body = method === 'PATCH' ? { name: 'X' } : undefined;
        const gone = await server().call(method, `/v1/websites/${id}`, { key: server().keys.all, body });
        expectError(gone, 403, 'ACCESS_DENIED');
      }
      await create({ domain });
      expect(await audited(id)).to.deep.equal([
        ['website.create', ['name', 'domain']],
        ['website.delete', []],
      ]);
    });

    it('answers 412 PRECONDITION_FAILED to another version, and deletes nothing', async () => {
      const { id } = await create();
      const headers = { 'if-match': '"7"' };
      const answer = await server().call('DELETE', `/v1/websites/${id}`, { key: server().keys.all, headers });
      expectError(answer, 412, 'PRECONDITION_FAILED');
      expectSuccess(await server().call('GET', `/v1/websites/${id}`, { key: server().keys.all }));
    });

    // With keys that may not, and never with one that may: others need web_shop.
    protectedRouteCases(server, { ...route, path: '/v1/websites/web_none' }, 'manage:websites', 'readOnly');
  });
});
