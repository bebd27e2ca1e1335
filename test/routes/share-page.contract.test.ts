/** The contract of the page of a share, through the whole server: who may embed it, what it tells of which share, and its files. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { HOSTILE_TEXTS } from '../support/hostile-texts.ts';
import { makeShare } from '../support/made-share.ts';
import { rawRequest } from '../support/raw-request.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';

const ORIGINS = ['https://www.example.com', 'http://localhost:3000'];
const NOBODY = 'A'.repeat(43);

describe('GET /share/{token}', () => {
  let server: TestServer;
  const get = (token: string, headers: Record<string, string> = {}, method = 'GET') =>
    server.call(method, `/share/${token}`, { headers });
  const manage = (method: string, path: string, body?: unknown) =>
    server.call(method, path, { key: server.keys.all, body });
  const frames = ({ headers }: Answer) =>
    /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1];
  /** What the document tells its script. */
  const told = ({ body }: Answer) => {
    const [, text = ''] = /<html lang="en" data-share="([^"]*)">/.exec(body) ?? [];
    const entities: Record<string, string> = { '&quot;': '"', '&lt;': '<', '&gt;': '>', '&amp;': '&' };
    return JSON.parse(text.replace(/&(?:quot|lt|gt|amp);/g, (entity) => entities[entity] ?? ''));
  };

  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  it('answers 200 with a document that its origins alone may embed, and that nobody keeps or tells of', async () => {
    const { token } = await makeShare(server, { origins: ORIGINS });
    for (const query of ['', '?theme=dark&range=today']) {
      const answer = await get(token + query);
      expectSuccess(answer);
      expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(frames(answer)).to.equal(ORIGINS.join(' '));
      expect(answer.headers.get('content-security-policy')).to.include(
        "default-src 'none'; script-src 'self'",
      );
      expect(answer.headers.get('x-frame-options')).to.equal(null);
      expect(answer.headers.get('cache-control')).to.equal('private, no-store');
      expect(answer.headers.get('referrer-policy')).to.equal('no-referrer');
      expect(answer.headers.get('x-robots-tag')).to.equal('noindex, nofollow');
      expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
      expect(answer.headers.get('set-cookie')).to.equal(null);
      expect(answer.headers.get('access-control-allow-origin')).to.equal(null);
      expect(answer.body).to.not.include(token);
    }
  });

  it('may be embedded nowhere where the share names no origin, and follows its change at once', async () => {
    const { id, token } = await makeShare(server);
    expect(frames(await get(token))).to.equal("'none'");
    expectSuccess(await manage('PATCH', `/v1/shares/${id}`, { origins: [ORIGINS[0]] }));
    expect(frames(await get(token))).to.equal(ORIGINS[0]);
  });

  it('tells what may be asked: datasets by main names, the range in the zone of the view, and whether it has parts', async () => {
    const state = { startDate: '2026-01-01', endDate: '2026-01-31', timezone: 'Europe/Berlin' };
    const datasets = ['summary', 'country', 'top_pages'];
    const { token } = await makeShare(server, { name: 'Board', datasets }, state);
    expect(told(await get(token))).to.deep.equal({
      share: {
        ...{ name: 'Board', datasets: ['summary', 'countries', 'top_pages'], timezone: 'Europe/Berlin' },
        ...{ preset: null, from: '2025-12-31T23:00:00.000Z', to: '2026-01-31T23:00:00.000Z' },
        ...{ granularity: null, hasParts: true },
      },
    });
    const filters = [{ field: 'path', op: 'eq', value: '/', of: 'session' }];
    const whole = await makeShare(server, {}, { preset: 'all', granularity: 'month', filters });
    expect(told(await get(whole.token)).share).to.include({
      ...{ preset: 'all', from: null, granularity: 'monthly', hasParts: false },
    });
  });

  it('tells nothing of a locked share but that it is locked, and the rest to who unlocks it', async () => {
    const { token } = await makeShare(server, { name: 'Quarterly secret', password: 'correct horse' });
    const answer = await get(token);
    expectSuccess(answer);
    expect(told(answer)).to.equal('locked');
    expect(answer.body).to.not.match(/Quarterly|top_pages|last_7d/);
    const body = { password: 'correct horse' };
    const unlocked = await server.call('POST', `/public/v1/shares/${token}/unlock`, { body });
    expectSuccess(unlocked);
    expect(unlocked.body.data.share).to.include({ name: 'Quarterly secret', preset: 'last_7d' });
  });

  it('answers 404 with one page to a token that is unknown, malformed, expired or taken back, at once', async () => {
    const expired = await makeShare(server, { expiresAt: '2020-01-01T00:00:00Z', origins: ORIGINS });
    const gone = await makeShare(server, { origins: ORIGINS });
    expectSuccess(await get(gone.token));
    expectSuccess(await manage('DELETE', `/v1/shares/${gone.id}`), 204);
    const tokens = [NOBODY, 'x', '_', `${gone.token}x`, gone.token.slice(1), expired.token, gone.token];
    const pages = new Set<string>();
    for (const token of tokens) {
      const answer = await get(token);
      expect(answer.status, token).to.equal(404);
      expect(told(answer)).to.equal('missing');
      expect(frames(answer)).to.equal("'none'");
      expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).to.equal('private, no-store');
      pages.add(answer.body);
    }
    expect(pages.size).to.equal(1);
  });

  it('reads neither keys nor cookies', async () => {
    const { token } = await makeShare(server);
    const plain = await get(token);
    for (const headers of [
      { 'x-api-key': 'nonsense' },
      { 'x-api-key': server.keys.all },
      { cookie: 'tg_access=nonsense; tg_refresh=nonsense' },
      { authorization: 'Bearer nonsense' },
    ] as Record<string, string>[]) {
      const answer = await get(token, headers);
      expectSuccess(answer);
      expect(answer.body).to.equal(plain.body);
      expect(answer.headers.get('set-cookie')).to.equal(null);
    }
  });

  it('answers HEAD without a body, and 405 with Allow to other methods', async () => {
    const { token } = await makeShare(server, { origins: ORIGINS });
    const head = await get(token, {}, 'HEAD');
    expect([head.status, head.body, frames(head)]).to.deep.equal([200, null, ORIGINS.join(' ')]);
    expect((await get(NOBODY, {}, 'HEAD')).status).to.equal(404);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const answer = await get(token, {}, method);
      expectError(answer, 405, 'METHOD_NOT_ALLOWED');
      expect(answer.headers.get('allow')).to.equal('GET, HEAD');
    }
  });

  it('holds names as texts and nothing else, whatever they are', async () => {
    for (const text of HOSTILE_TEXTS.filter((each) => /[<>"'&]/.test(each))) {
      const name = [...text].slice(0, 100).join('');
      const { token } = await makeShare(server, { name });
      const answer = await get(token);
      expectSuccess(answer);
      const tags = [...answer.body.matchAll(/<(?!\/)[a-z!]+/gi)].length;
      const { body } = await get(NOBODY);
      expect(tags, name).to.equal([...body.matchAll(/<(?!\/)[a-z!]+/gi)].length);
      const read = await manage('GET', '/v1/shares?limit=1&sort=-createdAt');
      expect(told(answer).share.name).to.equal(read.body.data[0].name);
    }
  });

  it('gives its files a year, compressed as they were built, from an address of their own', async () => {
    const { token } = await makeShare(server);
    const { body } = await get(token);
    const files = [...body.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path as string);
    expect(files.map((path) => path.replace(/\.[\w-]{8}\./, '.'))).to.have.members([
      ...['/share/_/share.js', '/share/_/share.css', '/share/_/licences.txt'],
    ]);
    for (const path of files) {
      const file = await server.call('GET', path, { headers: { 'accept-encoding': 'br' } });
      expectSuccess(file);
      expect(file.headers.get('content-encoding'), path).to.equal('br');
      expect(file.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      expect(file.headers.get('set-cookie')).to.equal(null);
    }
    const script = await server.call('GET', '/share/_/share.ffffffff.js');
    expect(script.headers.get('cache-control')).to.equal('no-store');
    expect(script.body).to.include('location.reload()');
    expectError(await server.call('GET', '/share/_/share.ffffffff.css'), 404, 'NOT_FOUND');
    // Any other address below shows that there is no share, in no frame.
    const nowhere = await server.call('GET', '/share/_/nowhere');
    expect([told(nowhere), frames(nowhere)]).to.deep.equal(['missing', "'none'"]);
  });

  it('climbs out of nothing', async () => {
    for (const climb of ['..%2f..%2fetc%2fpasswd', '_/../../package.json', '_/..%5c..%5cetc', '%2e%2e']) {
      const bytes = `GET /share/${climb} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
      const { statusLine, body } = await rawRequest(server.origin, bytes);
      expect([200, 404], `${climb}: ${statusLine}`).to.include(Number(statusLine.split(' ')[1]));
      expect(body, climb).to.not.match(/root:|"dependencies"/);
    }
  });

  it('takes its word from short links', async () => {
    for (const slug of ['share', 'Share']) {
      const link = { name: 'Share', slug, targetUrl: 'https://example.com/' };
      const answer = await manage('POST', '/v1/links', link);
      expectError(answer, 400, 'VALIDATION_ERROR');
      const message = `"${slug}" is reserved for the service itself. Choose another word.`;
      expect(answer.body.details).to.deep.equal([{ field: 'slug', message }]);
    }
  });
});
