/** A key with read:links alone against all analytics: no form of a request makes the rule see another selector than the query. */
import { expect } from 'chai';
import { expectCommonHeaders, expectError, expectSuccess } from '../support/answers.ts';
import { asAnswer, rawRequest } from '../support/raw-request.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const WEBSITE = 'website_id=web_shop';
const MANY = 'a&'.repeat(1_000);

describe('a key with read:links alone, through the gateway', () => {
  let server: TestServer;
  let link: string;
  const pages = { parameters: ['pages'], preset: 'last_7d' };
  const clicks = { parameters: ['link_total_clicks'], preset: 'last_7d' };

  before(async () => {
    server = await startTidegate();
    const target = { name: 'Ours', targetUrl: 'https://shop.example.com/', websiteId: 'web_shop' };
    link = (await server.call('POST', '/v1/links', { key: server.keys.all, body: target })).body.data.id;
    const event = { name: 'screen_view', websiteId: 'web_shop', anonymousId: 'v1', path: '/secret' };
    expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body: event }));
  });
  after(() => server.close());

  const ask = (path: string, body: unknown = pages, key = server.keys.linksOnly) =>
    server.call('POST', path, { key, body });

  /** Byte by byte: an HTTP client takes a fragment off. */
  async function askRaw(target: string, body: unknown = pages): Promise<Answer> {
    const text = JSON.stringify(body);
    const head = [
      `POST ${target} HTTP/1.1`,
      'Host: x',
      `x-api-key: ${server.keys.linksOnly}`,
      `Content-Length: ${Buffer.byteLength(text)}`,
    ];
    return asAnswer(await rawRequest(server.origin, `${head.join('\r\n')}\r\n\r\n${text}`));
  }

  function expectNoAnalytics(answer: Answer, what: string): void {
    expect(answer.status, what).to.be.oneOf([400, 403]);
    expect(JSON.stringify(answer.body), what).to.not.contain('/secret').and.to.not.contain('web_shop"');
    expectCommonHeaders(answer.headers);
  }

  for (const path of ['/v1/query', '/v1/query/compile']) {
    it(`reads nothing of a website from ${path} behind a thousand parameters`, async () => {
      for (const many of [999, 1_000, 1_001, 3_000]) {
        for (const id of ['x', link]) {
          const noise = 'a&'.repeat(many);
          const forms = [
            `${WEBSITE}&${noise}link_id=${id}`,
            `${noise}${WEBSITE}&link_id=${id}`,
            `link_id=${id}&${noise}${WEBSITE}`,
          ];
          for (const form of forms) expectNoAnalytics(await ask(`${path}?${form}`), `${many} ${id}`);
        }
      }
    });

    it(`reads nothing of a website from ${path} behind a fragment, which no target has`, async () => {
      for (const form of [
        `${WEBSITE}#&link_id=x`,
        `${WEBSITE}&#link_id=${link}`,
        `link_id=${link}#&${WEBSITE}`,
        '#',
      ]) {
        const answer = await askRaw(`${path}?${form}`);
        expectError(answer, 400, 'VALIDATION_ERROR');
        expectNoAnalytics(answer, form);
      }
    });

    it(`reads nothing of a website from ${path} by other spellings, encodings and places`, async () => {
      const forms = [
        `?${WEBSITE}`,
        `?${WEBSITE}&linkid=${link}`,
        `?${WEBSITE}&link_id[]=${link}`,
        `?${WEBSITE};link_id=${link}`,
        `?${WEBSITE}&link_id%00=${link}`,
        `?${WEBSITE}&%256cink_id=${link}`,
        `?${WEBSITE}%26link_id=${link}`,
        `?${WEBSITE}&link_id=`,
        `?${WEBSITE}&link_id=${link}&link_id=${link}`,
        `?${WEBSITE}?link_id=${link}`,
        '',
        '?organization_id=org_main',
      ];
      for (const form of forms) {
        expectNoAnalytics(await ask(`${path}${form}`), form);
        expectNoAnalytics(await ask(`${path}${form}`, { ...pages, website_id: 'web_shop' }), form);
      }
      for (const named of [
        { linkID: link },
        { link_id: [link] },
        { link_id: { id: link } },
        { link_id: null },
      ]) {
        expectNoAnalytics(await ask(`${path}?${WEBSITE}`, { ...pages, ...named }), JSON.stringify(named));
      }
    });

    it(`reads its links from ${path}, named by query string or body`, async () => {
      expectSuccess(await ask(`${path}?link_id=${link}`, clicks));
      expectSuccess(await ask(`${path}?%6cink_id=${link}&${WEBSITE}`, clicks));
      expectSuccess(await ask(path, { ...clicks, linkId: link }));
      expectError(await ask(`${path}?link_id=lnk_none`, clicks), 403, 'ACCESS_DENIED');
      expectError(
        await ask(`${path}?link_id=${link}`, clicks, server.keys.trackOnly),
        403,
        'INSUFFICIENT_SCOPE',
      );
    });
  }

  it('reads no page under a link, and nothing by a batch of which one element is not its own', async () => {
    const { body } = await ask('/v1/query', { ...pages, link_id: link });
    expect(body.data[0]).to.include({ success: false });
    expect(body.data[0].data).to.deep.equal([]);
    const own = { ...clicks, link_id: link };
    expectSuccess(await ask('/v1/query', [own, own]));
    const answer = await ask('/v1/query', [own, { ...pages, website_id: 'web_shop' }]);
    expectError(answer, 403, 'INSUFFICIENT_SCOPE');
    expect(answer.body.error).to.equal('The scope read:data is required.');
    expect(answer.body.details.map(({ field }: { field: string }) => field)).to.deep.equal(['[1]']);
  });

  it('pays for what is refused by its selector like for what is answered', async () => {
    const body = { parameters: Array(50).fill('pages'), preset: 'last_7d' };
    const spent = async () => {
      const { headers, ...answer } = await ask(`/v1/query?${WEBSITE}`, body);
      expectError({ ...answer, headers }, 403, 'INSUFFICIENT_SCOPE');
      const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) =>
        Number(headers.get(`X-RateLimit-${name}`)),
      );
      return { limit, remaining: remaining ?? 0, reset };
    };
    let [first, second] = [await spent(), await spent()];
    // A window that began anew in between.
    if (first.reset !== second.reset) [first, second] = [await spent(), await spent()];
    expect([first.limit, first.remaining - second.remaining]).to.deep.equal([6_000, 50]);
  });

  it('finds the health of no service behind a fragment', async () => {
    for (const target of ['/health#', '/health#x', '/#', '/v1/query/types#', '/health/ready?#']) {
      const text = `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`;
      const raw = await rawRequest(server.origin, text);
      expectError(asAnswer(raw), 400, 'VALIDATION_ERROR');
      expectCommonHeaders(raw.headers);
      expect(raw.body).to.include('#');
    }
  });
});

describe('a website named behind a thousand parameters', () => {
  it('is the one that flags are evaluated for', async () => {
    const server = await startTidegate();
    try {
      const flag = {
        key: 'on',
        name: 'On',
        type: 'boolean',
        status: 'active',
        defaultValue: true,
        websiteId: 'web_shop',
      };
      expect((await server.call('POST', '/v1/flags', { key: server.keys.all, body: flag })).status).to.equal(
        201,
      );
      const path = `/public/v1/flags/evaluate?${MANY}key=on&clientId=web_shop`;
      expect((await server.call('GET', path)).body).to.include({ enabled: true });
    } finally {
      await server.close();
    }
  });
});
