/** The contract of the erasure of visitors, status by status, through the whole server. */
import { expect } from 'chai';
import { visitorProfileDocumentId } from '../../services/shared/model/profile.ts';
import { expectError, expectSuccess } from '../support/answers.ts';
import { everythingStored, withStored } from '../support/open-stored.ts';
import { protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

/** Identifiers that need care in an address; the last three no path can carry. */
const STRANGE = ['a b+c', 'ä€😀', '%2F', '?x=1&y', '#top', 'a;b=c', 'o\'neill"', 'x'.repeat(256)];
const UNPATHABLE = ['a/b', 'a\\b', '..'];

describe('the contract of the erasure of visitors', () => {
  let started: TestServer;
  const server = () => started;

  beforeEach(async () => {
    started = await startTidegate();
  });
  afterEach(() => started.close());

  const erase = (path: string, key = server().keys.all) =>
    server().call('DELETE', `/v1/visitors${path}`, { key });
  async function track(anonymousId: string, ...websiteIds: (string | undefined)[]): Promise<void> {
    for (const websiteId of websiteIds) {
      const body = { name: 'seen', anonymousId, ...(websiteId === undefined ? {} : { websiteId }) };
      expectSuccess(await server().call('POST', '/track', { key: server().keys.all, body }));
    }
  }
  /** Names of the visitors of a website's events, or of the organization's own. */
  async function visitorsOf(website: string | null): Promise<string[]> {
    const selector = website === null ? '' : `?website_id=${website}`;
    const answer = await server().call('POST', `/v1/query${selector}`, {
      key: server().keys.all,
      body: { parameters: ['custom_events_recent'], preset: 'last_7d', limit: 100 },
    });
    expectSuccess(answer);
    return answer.body.data[0].data.map((row: { anonymous_id: string }) => row.anonymous_id).sort();
  }

  it('erases every event of the visitor from one website, and leaves the others', async () => {
    await track('anna', 'web_shop', 'web_shop', 'web_blog');
    await track('bert', 'web_shop');
    const answer = await erase('/anna?website_id=web_shop');
    expectSuccess(answer, 204);
    expect(answer.body).to.equal(null);
    expect([await visitorsOf('web_shop'), await visitorsOf('web_blog')]).to.deep.equal([['bert'], ['anna']]);
  });

  it('erases the visitor from the whole organization, and from no other, with the word who it is', async () => {
    await track('anna', 'web_shop', 'web_blog', undefined);
    const other = {
      key: server().keys.free,
      body: { name: 'seen', anonymousId: 'anna', websiteId: 'web_free' },
    };
    expectSuccess(await server().call('POST', '/track', other));
    for (const websiteId of ['web_shop', 'web_blog']) {
      const body = { profileId: 'p1', anonymousId: 'anna', websiteId };
      expectSuccess(await server().call('POST', '/identify', { key: server().keys.all, body }));
    }
    expectSuccess(await erase('/anna'), 204);
    expect([await visitorsOf('web_shop'), await visitorsOf('web_blog')]).to.deep.equal([[], []]);
    const stored = await withStored(server().dataDir, async (documents) => [
      await documents.visitorProfiles.all('org_main'),
      await documents.allCleanups(),
    ]);
    expect(stored).to.deep.equal([[], []]);
    const foreign = await server().call('POST', '/v1/query?website_id=web_free', {
      key: server().keys.free,
      body: { parameters: ['custom_events_recent'], preset: 'last_7d' },
    });
    expect(foreign.body.data[0].data).to.have.length(1);
  });

  it('erases only the word who it is of the website that is named', async () => {
    for (const websiteId of ['web_shop', 'web_blog']) {
      const body = { profileId: 'p1', anonymousId: 'anna', websiteId };
      expectSuccess(await server().call('POST', '/identify', { key: server().keys.all, body }));
    }
    expectSuccess(await erase('/anna?website_id=web_blog', server().keys.all), 204);
    const left = await withStored(server().dataDir, (documents) => documents.visitorProfiles.all('org_main'));
    expect(left.map(({ websiteId }) => websiteId)).to.deep.equal(['web_shop']);
  });

  it('answers 204 also when there is nothing, and the next event of the visitor is its own', async () => {
    expectSuccess(await erase('/nobody'), 204);
    expectSuccess(await erase('/nobody'), 204);
    await track('nobody', 'web_shop');
    expect(await visitorsOf('web_shop')).to.deep.equal(['nobody']);
  });

  it('takes every identifier that ingest takes, by the path or by anonymous_id', async () => {
    for (const id of [...STRANGE, ...UNPATHABLE]) await track(id, 'web_shop');
    expect(await visitorsOf('web_shop')).to.have.length(STRANGE.length + UNPATHABLE.length);
    for (const id of STRANGE) expectSuccess(await erase(`/${encodeURIComponent(id)}`), 204);
    expect(await visitorsOf('web_shop')).to.deep.equal([...UNPATHABLE].sort());
    for (const id of UNPATHABLE.slice(0, 2))
      expectError(await erase(`/${encodeURIComponent(id)}`), 404, 'NOT_FOUND');
    for (const id of UNPATHABLE) {
      const query = new URLSearchParams({ anonymous_id: id, website_id: 'web_shop' });
      expectSuccess(await erase(`?${query}`), 204);
    }
    expect(await visitorsOf('web_shop')).to.deep.equal([]);
  });

  it('answers 400 VALIDATION_ERROR to no identifier, one that is too long or malformed, and unknown parameters', async () => {
    for (const path of [
      ...[
        '',
        '?anonymous_id=',
        `?anonymous_id=${'x'.repeat(257)}`,
        `/${'x'.repeat(257)}`,
        '?anonymous_id=a&anonymous_id=b',
      ],
      ...[
        '/a?anonymous_id=b',
        '/a?website=web_shop',
        '/a?website_id=',
        '/a?website_id=a&website_id=b',
        '/a?website_id=a&websiteId=b',
      ],
    ]) {
      expectError(await erase(path), 400, 'VALIDATION_ERROR');
    }
    for (const path of ['/%zz', '/%ff']) {
      const { status } = await erase(path);
      expect(status, path).to.be.within(400, 499);
    }
  });

  it('refuses who does not reach the website, or not all of them, and erases nothing', async () => {
    await track('anna', 'web_shop', 'web_blog');
    const before = await everythingStored(server().dataDir);
    const { shopOnly, free, readOnly } = server().keys;
    for (const place of ['/anna', '?anonymous_id=anna']) {
      const mark = place.includes('?') ? '&' : '?';
      for (const id of ['web_blog', 'web_free', 'web_none']) {
        expectError(await erase(`${place}${mark}website_id=${id}`, shopOnly), 403, 'ACCESS_DENIED');
      }
      expectError(await erase(place, shopOnly), 403, 'ACCESS_DENIED');
      expectError(await erase(`${place}${mark}website_id=web_shop`, free), 403, 'ACCESS_DENIED');
      expectError(await erase(place, readOnly), 403, 'INSUFFICIENT_SCOPE');
    }
    expect(await everythingStored(server().dataDir)).to.deep.equal(before);
    expectSuccess(await erase('/anna', free), 204);
    expect([await visitorsOf('web_shop'), await visitorsOf('web_blog')]).to.deep.equal([['anna'], ['anna']]);
  });

  it('leaves an audit record that does not hold the identifier, and tells who knows it', async () => {
    await track('anna-kournikova', 'web_shop');
    expectSuccess(await erase('/anna-kournikova?website_id=web_shop'), 204);
    const records = await withStored(server().dataDir, (documents) => documents.auditRecords.all('org_main'));
    const scope = { organizationId: 'org_main', websiteId: 'web_shop' };
    expect(records.map(({ action, targetId }) => [action, targetId])).to.deep.equal([
      ['visitor.erase', visitorProfileDocumentId(scope, 'anna-kournikova')],
    ]);
    expect(JSON.stringify(await everythingStored(server().dataDir))).to.not.include('kournikova');
  });
});

describe('the routes of the erasure of visitors', () => {
  let started: TestServer;
  const server = () => started;

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  for (const path of [
    '/v1/visitors/anna?website_id=web_shop',
    '/v1/visitors?anonymous_id=anna&website_id=web_shop',
  ]) {
    describe(`DELETE ${path}`, () => {
      const wrongMethods = ['GET', 'POST', 'PUT'];
      protectedRouteCases(server, { method: 'DELETE', path, wrongMethods }, 'manage:websites', 'readOnly');
    });
  }
});
