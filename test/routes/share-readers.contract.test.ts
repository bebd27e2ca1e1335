/** The contract of shares for their readers, who have nothing but the link, through the whole server. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { newAddress, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const PASSWORD = 'correct horse';
const NOBODY = 'A'.repeat(43);

describe('the readers of a share', () => {
  let server: TestServer;
  const manage = (method: string, path: string, body?: unknown, key = server.keys.all) =>
    server.call(method, path, { key, body });
  const made = async (path: string, body: object, key = server.keys.all) => {
    const answer = await manage('POST', path, body, key);
    expectSuccess(answer, 201);
    return answer.body.data;
  };
  const viewOf = (state: object = { preset: 'today' }, websiteId = 'web_shop') =>
    made('/v1/views', { websiteId, name: 'View', state, shared: true });
  const share = async (asked: object = {}, state?: object) => {
    const view = (await viewOf(state)).id;
    const body = {
      websiteId: 'web_shop',
      view,
      name: 'Share',
      datasets: ['summary_metrics', 'pages', 'countries'],
    };
    return made('/v1/shares', { ...body, ...asked });
  };
  const path = (token: string, act = 'query') => `/public/v1/shares/${token}/${act}`;
  const ask = (
    token: string,
    body: unknown = { parameters: ['pages'] },
    headers: Record<string, string> = {},
  ) => server.call('POST', path(token), { body, headers });
  const unlock = (token: string, password: unknown = PASSWORD) =>
    server.call('POST', path(token, 'unlock'), { body: { password } });

  before(async () => {
    server = await startTidegate();
    const paths = ['/', '/', '/blog', '/admin'];
    const events = paths.map((at, i) => ({
      ...{ name: 'screen_view', websiteId: 'web_shop', path: at },
      ...{ anonymousId: `visitor-${i}`, sessionId: `session-${i}` },
    }));
    const other = {
      name: 'screen_view',
      websiteId: 'web_blog',
      path: '/other',
      anonymousId: 'b',
      sessionId: 'b',
    };
    expectSuccess(await manage('POST', '/track', [...events, other]));
  });
  after(() => server.close());

  describe('POST /public/v1/shares/{token}/query', () => {
    it('answers 200 with what POST /v1/query says under the filters and the range of the view', async () => {
      const filters = [{ field: 'path', op: 'ne', value: '/admin' }];
      const { token } = await share({}, { preset: 'today', filters });
      const answer = await ask(token, { parameters: ['pages', 'summary_metrics'] });
      expectSuccess(answer);
      const body = { parameters: ['pages', 'summary_metrics'], preset: 'today', filters };
      const own = await manage('POST', '/v1/query?website_id=web_shop', body);
      expect(answer.body.data).to.deep.equal(own.body.data);
      expect(answer.body.data[0].data).to.deep.equal([
        { path: '/', pageviews: 2, visitors: 2 },
        { path: '/blog', pageviews: 1, visitors: 1 },
      ]);
      expect(answer.headers.get('cache-control')).to.equal('private, no-store');
    });

    it('lets filters of the reader narrow those of the view, never replace them', async () => {
      const { token } = await share(
        {},
        { preset: 'today', filters: [{ field: 'path', op: 'ne', value: '/admin' }] },
      );
      const rows = async (value: string) => {
        const filters = [{ field: 'path', op: 'eq', value }];
        const answer = await ask(token, { parameters: ['pages'], filters });
        expectSuccess(answer);
        return answer.body.data[0].data.map((row: { path: string }) => row.path);
      };
      expect(await rows('/blog')).to.deep.equal(['/blog']);
      expect(await rows('/admin')).to.deep.equal([]);
      const either = [
        {
          any: [
            { field: 'path', op: 'eq', value: '/admin' },
            { field: 'path', op: 'eq', value: '/' },
          ],
        },
      ];
      const answer = await ask(token, { parameters: ['pages'], filters: either });
      expect(answer.body.data[0].data).to.deep.equal([{ path: '/', pageviews: 2, visitors: 2 }]);
    });

    it('answers 400 to what is not the share: selectors, zones, groups, batches, datasets, ranges, fields', async () => {
      const { token } = await share();
      const filter = (field: string, of?: string) => [{ field, op: 'eq', value: 'x', ...(of && { of }) }];
      const refused: object[] = [
        ...[
          { website_id: 'web_blog' },
          { websiteId: 'web_blog' },
          { timezone: 'Europe/Berlin' },
          { groupBy: 'path' },
        ],
        ...[
          { parameters: ['sessions'] },
          { parameters: ['summary'] },
          { parameters: ['nonsense'] },
          { parameters: [] },
        ],
        ...[{ preset: 'last_7d' }, { preset: 'all' }, { startDate: '2020-01-01', endDate: '2020-01-02' }],
        ...['session_id', 'visitor_id', 'profile_id', 'properties.email', 'browser_name', 'entry_path'].map(
          (field) => ({
            filters: filter(field),
          }),
        ),
        { filters: filter('path', 'session') },
        { filters: [{ not: { any: filter('path', 'visitor') } }] },
        { parameters: [{ name: 'pages', startDate: '2020-01-01', endDate: '2020-01-02' }] },
        { sql: 'SELECT 1' },
      ];
      for (const body of refused) {
        const answer = await ask(token, { parameters: ['pages'], ...body });
        expect(answer.status, JSON.stringify(body)).to.equal(400);
      }
      expectError(await ask(token, [{ parameters: ['pages'] }]), 400, 'VALIDATION_ERROR');
      for (const body of ['{"a":', 'null', '7']) expectError(await ask(token, body), 400, 'VALIDATION_ERROR');
      const selected = await server.call('POST', `${path(token)}?website_id=web_blog`, {
        body: { parameters: ['pages'] },
      });
      expectError(selected, 400, 'VALIDATION_ERROR');
    });

    it('asks a view that looks at whole sessions for its whole range alone', async () => {
      const filters = [{ not: { field: 'path', op: 'eq', value: '/admin', of: 'session' } }];
      const { token } = await share({}, { preset: 'last_7d', filters });
      expectSuccess(await ask(token));
      expectSuccess(await ask(token, { parameters: ['pages'], preset: 'last_7d' }));
      expectError(await ask(token, { parameters: ['pages'], preset: 'today' }), 400, 'INVALID_DATE_RANGE');
    });

    it('reads neither keys nor cookies', async () => {
      const { token } = await share();
      const sent: Record<string, string>[] = [{ 'x-api-key': 'nonsense' }, { cookie: 'tg_access=nonsense' }];
      for (const headers of sent) {
        expectSuccess(await ask(token, undefined, headers));
      }
      expectError(await ask(NOBODY, undefined, { 'x-api-key': server.keys.all }), 404, 'NOT_FOUND');
    });

    it('answers 404 with one text to a token that is unknown, malformed, expired or taken back, at once', async () => {
      const expired = await share({ expiresAt: '2020-01-01T00:00:00Z' });
      const gone = await share();
      expectSuccess(await ask(gone.token));
      expectSuccess(await manage('DELETE', `/v1/shares/${gone.id}`), 204);
      const texts = new Set<string>();
      for (const token of [NOBODY, 'short', `${gone.token}x`, expired.token, gone.token]) {
        for (const answer of [await ask(token), await unlock(token)]) {
          expectError(answer, 404, 'NOT_FOUND');
          texts.add(answer.body.error);
        }
      }
      expect(texts.size).to.equal(1);
    });

    it('follows its view and its share from the next call on', async () => {
      const view = await viewOf();
      const { id, token } = await share({ view: view.id });
      const state = { preset: 'today', filters: [{ field: 'path', op: 'eq', value: '/blog' }] };
      expectSuccess(await manage('PATCH', `/v1/views/${view.id}`, { state }));
      expect((await ask(token)).body.data[0].data).to.deep.equal([
        { path: '/blog', pageviews: 1, visitors: 1 },
      ]);
      expectSuccess(await manage('PATCH', `/v1/shares/${id}`, { datasets: ['countries'] }));
      expectError(await ask(token), 400, 'VALIDATION_ERROR');
    });

    it('answers 405 to other methods, 413 to a large body and 415 to another type', async () => {
      const { token } = await share();
      for (const act of ['query', 'unlock']) {
        for (const method of ['GET', 'PUT', 'DELETE']) {
          expectError(await server.call(method, path(token, act)), 405, 'METHOD_NOT_ALLOWED');
        }
      }
      const large = { parameters: ['pages'], filters: ['x'.repeat(4_000_000)] };
      expectError(await ask(token, large), 413, 'PAYLOAD_TOO_LARGE');
      expectError(await unlock(token, 'x'.repeat(5_000)), 413, 'PAYLOAD_TOO_LARGE');
      expectError(
        await ask(token, undefined, { 'content-type': 'application/xml' }),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      );
    });

    it('answers 429 to the 101st call of an address, whatever the tokens', async () => {
      const address = newAddress();
      const { token } = await share();
      const calls = Array.from({ length: 101 }, (_, i) =>
        server.call('POST', path(i % 2 ? token : `${NOBODY}${i}`), {
          body: { parameters: ['pages'] },
          address,
        }),
      );
      const refused = (await Promise.all(calls)).filter(({ status }) => status === 429);
      expect(refused.length).to.equal(1);
      for (const answer of refused) expectError(answer, 429, 'RATE_LIMIT_EXCEEDED');
    });

    it('answers 429 to the 301st call of a share from all addresses together', async () => {
      const { token } = await share();
      const calls = Array.from({ length: 301 }, () => ask(token, { parameters: [] }));
      const answers = await Promise.all(calls);
      const refused = answers.filter(({ status }) => status === 429);
      expect(refused.length, JSON.stringify(answers.slice(0, 2).map(({ body }) => body))).to.equal(1);
      expect(refused[0]?.body).to.include({ limit: 300, remaining: 0 });
      // Another spelling of it would have a budget of its own: there is none.
      const spelt = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`;
      expectError(await ask(spelt), 404, 'NOT_FOUND');
      const other = await share();
      expectSuccess(await ask(other.token));
    });
  });

  describe('POST /public/v1/shares/{token}/unlock', () => {
    it('answers 200 with a ticket for an hour, which opens its own share alone', async () => {
      const locked = await share({ password: PASSWORD });
      const other = await share({ password: PASSWORD });
      expectError(await ask(locked.token), 401, 'AUTH_REQUIRED');
      const answer = await unlock(locked.token);
      expectSuccess(answer);
      const { ticket, expiresAt } = answer.body.data;
      const left = Date.parse(expiresAt) - Date.now();
      expect(left).to.be.within(3_500_000, 3_601_000);
      expectSuccess(await ask(locked.token, undefined, { 'x-share-ticket': ticket }));
      expectError(await ask(other.token, undefined, { 'x-share-ticket': ticket }), 401, 'AUTH_REQUIRED');
      for (const forged of ['', 'x', `${ticket}x`, ticket.replace(/\..*\./, '.e30.')]) {
        expectError(await ask(locked.token, undefined, { 'x-share-ticket': forged }), 401, 'AUTH_REQUIRED');
      }
    });

    it('answers 401 AUTH_REQUIRED to a wrong password, 400 to none, and 409 CONFLICT where the share has none', async () => {
      const { token } = await share({ password: PASSWORD });
      for (const wrong of ['correct horsd', 'x'])
        expectError(await unlock(token, wrong), 401, 'AUTH_REQUIRED');
      for (const none of ['', 5, null, 'x'.repeat(257)]) {
        expectError(await unlock(token, none), 400, 'VALIDATION_ERROR');
      }
      expectError(await unlock((await share()).token), 409, 'CONFLICT');
      const empty = await server.call('POST', path(token, 'unlock'), { body: {} });
      expectError(empty, 400, 'VALIDATION_ERROR');
    });

    it('ends the tickets of a password when it is changed', async () => {
      const { id, token } = await share({ password: PASSWORD });
      const { ticket } = (await unlock(token)).body.data;
      expectSuccess(await manage('PATCH', `/v1/shares/${id}`, { name: 'Renamed' }));
      expectSuccess(await ask(token, undefined, { 'x-share-ticket': ticket }));
      expectSuccess(await manage('PATCH', `/v1/shares/${id}`, { password: PASSWORD }));
      expectError(await ask(token, undefined, { 'x-share-ticket': ticket }), 401, 'AUTH_REQUIRED');
    });

    it('answers 429 to the 201st guess, from however many addresses', async () => {
      const { token } = await share({ password: PASSWORD });
      const calls = Array.from({ length: 201 }, () => unlock(token, ''));
      const refused = (await Promise.all(calls)).filter(({ status }) => status === 429);
      expect(refused.length).to.equal(1);
      expect(refused[0]?.body).to.include({ limit: 200, remaining: 0 });
      const { status, body } = await unlock(token);
      expect([status, body.code]).to.deep.equal([429, 'RATE_LIMIT_EXCEEDED']);
    });
  });

  it('of 200 shares each see their own website, and none of another organization', async () => {
    const blog = (await viewOf({ preset: 'today' }, 'web_blog')).id;
    const shop = (await viewOf()).id;
    const tokens = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const [websiteId, view] = i % 2 ? ['web_blog', blog] : ['web_shop', shop];
        const { token } = await made('/v1/shares', {
          websiteId,
          view,
          name: `Share ${i}`,
          datasets: ['pages'],
        });
        return { token, isBlog: i % 2 === 1 };
      }),
    );
    for (const { token, isBlog } of tokens) {
      const paths = (await ask(token)).body.data[0].data.map((row: { path: string }) => row.path);
      expect(paths.includes('/other')).to.equal(isBlog);
      expect(paths.includes('/admin')).to.equal(!isBlog);
    }
    const stolen = { websiteId: 'web_free', view: shop, name: 'Stolen', datasets: ['pages'] };
    expectError(await manage('POST', '/v1/shares', stolen, server.keys.free), 400, 'VALIDATION_ERROR');
  });
});
