/** The contract of the pages at /dashboard, through the whole server: documents, files, encodings, and nothing of the machine besides. */
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { CONTENT_SECURITY_POLICY } from '../../plugins/pages/page-headers.ts';
import { expectError, expectSuccess } from '../support/answers.ts';
import { pageTexts, writePages } from '../support/built-pages.ts';
import { rawRequest } from '../support/raw-request.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const SCRIPT = '/dashboard/app.0a1b2c3d.js';
const TEXTS = pageTexts();

describe('the pages at /dashboard', () => {
  const folder = createTempDirectory();
  let server: TestServer;

  before(async () => {
    writePages(folder.path);
    writeFileSync(folder.file('app.0a1b2c3d.js.map'), '{"sources":["secret"]}');
    writeFileSync(folder.file('.env'), 'secret');
    server = await startTidegate({ settings: { DASHBOARD_DIR: folder.path } });
  });
  after(async () => {
    await server.close();
    folder.remove();
  });

  it('are the document at every address below, under the policy of pages, to whoever asks', async () => {
    const places = ['/dashboard', '/dashboard/', '/dashboard/websites/web_1?preset=today', '/dashboard/a.b'];
    for (const path of places) {
      for (const key of [undefined, server.keys.all, server.keys.unknown]) {
        const answer = await server.call('GET', path, key === undefined ? {} : { key });
        expectSuccess(answer);
        expect(answer.body, path).to.equal(TEXTS['document.html']);
        expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
        expect(answer.headers.get('content-security-policy')).to.equal(CONTENT_SECURITY_POLICY);
        expect(answer.headers.get('cache-control')).to.equal('no-cache');
        expect(answer.headers.get('referrer-policy')).to.equal('same-origin');
        expect(answer.headers.get('cross-origin-opener-policy')).to.equal('same-origin');
        expect(answer.headers.get('x-frame-options')).to.equal('DENY');
        expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
        expect(answer.headers.get('set-cookie')).to.equal(null);
      }
    }
  });

  it('give their files a year, in the encoding that was made of them', async () => {
    for (const [accepted, encoding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['identity', null],
    ] as const) {
      const answer = await server.call('GET', SCRIPT, { headers: { 'accept-encoding': accepted } });
      expectSuccess(answer);
      expect(answer.body).to.equal(TEXTS['app.0a1b2c3d.js']);
      expect(answer.headers.get('content-encoding')).to.equal(encoding);
      expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      expect(answer.headers.get('vary')).to.include('Accept-Encoding');
      expect(answer.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
    }
  });

  it('answer 304 to who has them, and HEAD without a body', async () => {
    for (const path of ['/dashboard', '/dashboard/websites/web_1', SCRIPT]) {
      const { headers } = await server.call('GET', path);
      const etag = headers.get('etag') ?? 'missing';
      const again = await server.call('GET', path, { headers: { 'if-none-match': etag } });
      expect([again.status, again.body, again.headers.get('etag')], path).to.deep.equal([304, null, etag]);
      const head = await server.call('HEAD', path);
      expect([head.status, head.body]).to.deep.equal([200, null]);
      expect(head.headers.get('etag')).to.equal(etag);
    }
  });

  it('have a script of another version load the page again, and know no other file', async () => {
    const gone = await server.call('GET', '/dashboard/app.ffffffff.js');
    expect(gone.status).to.equal(200);
    expect(gone.headers.get('cache-control')).to.equal('no-store');
    expect(gone.body).to.include('location.reload()');
    const others = [
      'app.js',
      'app.ffffffff.css',
      'app.0a1b2c3d.js.map',
      'app.0a1b2c3d.js.br',
      '.env',
      'a.json',
    ];
    for (const name of others) {
      const answer = await server.call('GET', `/dashboard/${name}`);
      expectError(answer, 404, 'NOT_FOUND');
      // Another process may have it in a moment, a hashed name above all.
      expect(answer.headers.get('cache-control'), name).to.equal('no-store');
      expect(JSON.stringify(answer.body)).to.not.include('secret');
    }
  });

  it('show nothing outside of their folder, however an address climbs', async () => {
    const climbs = [
      '../package.json',
      '../../../../etc/passwd',
      '%2e%2e/%2e%2e/etc/passwd',
      '..%2f..%2fetc%2fpasswd',
      '..%5c..%5cetc%5cpasswd',
      '%252e%252e%252fetc%252fpasswd',
      '..;/etc/passwd',
      '....//....//etc/passwd',
      '%c0%ae%c0%ae/etc/passwd',
      'x/../../../config/settings.js',
      '\\..\\..\\etc\\passwd',
      'app.0a1b2c3d.js%00.css',
      '__proto__.js',
      'constructor',
      '/etc/passwd',
    ];
    for (const climb of climbs) {
      for (const method of ['GET', 'HEAD']) {
        const bytes = `${method} /dashboard/${climb} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
        const { statusLine, headers, body } = await rawRequest(server.origin, bytes);
        const status = Number(statusLine.split(' ')[1]);
        expect([200, 404], `${climb}: ${statusLine}`).to.include(status);
        // What is no unknown address is a place within the pages.
        if (status === 200) expect(headers.get('content-type'), climb).to.equal('text/html; charset=utf-8');
        if (status === 200 && method === 'GET') expect(body, climb).to.equal(TEXTS['document.html']);
        expect(body, climb).to.not.match(/root:|secret|"dependencies"|PACKAGE_ROOT/);
      }
    }
  });

  it('answer 405 with Allow to other methods, as / does, and let no other page read them', async () => {
    for (const path of ['/dashboard', '/dashboard/websites', SCRIPT]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await server.call(method, path, { key: server.keys.all });
        expectError(answer, 405, 'METHOD_NOT_ALLOWED');
        expect(answer.headers.get('allow')).to.equal('GET, HEAD');
      }
      const foreign = await server.call('GET', path, { headers: { origin: 'https://evil.example' } });
      expect(foreign.headers.get('access-control-allow-origin'), path).to.equal(null);
    }
  });

  it('are what the build made, where nothing else is said', async () => {
    const shipped = await startTidegate();
    try {
      const { body, headers } = await shipped.call('GET', '/dashboard');
      expect(headers.get('content-security-policy')).to.equal(CONTENT_SECURITY_POLICY);
      const files = [...body.matchAll(/(?:src|href)="(\/dashboard\/[^"]+)"/g)].map(([, path]) => path);
      expect(files.length).to.be.at.least(2);
      for (const path of files) {
        const file = await shipped.call('GET', path, { headers: { 'accept-encoding': 'br' } });
        expectSuccess(file);
        expect(file.headers.get('content-encoding'), path).to.equal('br');
        expect(file.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      }
    } finally {
      await shipped.close();
    }
  });
});
