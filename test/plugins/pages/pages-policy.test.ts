/** The pages policy by itself: which answer belongs to which address, and how long it may be kept. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createTestGateway, type TestRequest } from '../../../plugins/kit/testing.ts';
import { pagesPolicy } from '../../../plugins/pages/pages-policy.ts';
import { pageTexts, writePages } from '../../support/built-pages.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

const FOR_EVER = 'public, max-age=31536000, immutable';
const TYPES: Readonly<Record<string, readonly [type: string, cacheControl: string]>> = {
  'app.0a1b2c3d.js': ['text/javascript; charset=utf-8', FOR_EVER],
  'app.5e6f7a8b.css': ['text/css; charset=utf-8', FOR_EVER],
  'icon.0a1b2c3d.svg': ['image/svg+xml', FOR_EVER],
  'words.Ab_-Cd12.json': ['application/json; charset=utf-8', FOR_EVER],
  'touch.9f8e7d6c.png': ['image/png', FOR_EVER],
  'sans.1234abcd.woff2': ['font/woff2', FOR_EVER],
  'favicon.ico': ['image/x-icon', 'no-cache'],
  'app.webmanifest': ['application/manifest+json', 'no-cache'],
  'licences.txt': ['text/plain; charset=utf-8', 'no-cache'],
};

describe('the pages policy', () => {
  const gateway = createTestGateway();
  let directory: TempDirectory;

  before(() => {
    directory = createTempDirectory();
    writePages(directory.path);
    for (const name of ['app.0a1b2c3d.js.map', 'app.0a1b2c3d.js.map.gz', '.hidden.js', '.env'])
      writeFileSync(join(directory.path, name), 'secret');
  });
  after(() => directory.remove());

  const ask = (url: string, request: TestRequest = {}) => {
    const asked = { endpoint: { access: 'public' as const, scopes: [] }, ...request, url };
    return gateway.run(pagesPolicy, { folder: directory.path }, asked);
  };
  const document = pageTexts()['document.html'] ?? '';

  it('answers with the document wherever somebody enters, asked for again each time', async () => {
    const places = [
      '/dashboard',
      '/dashboard/',
      '/dashboard?next=/dashboard/app.0a1b2c3d.js',
      '/dashboard/websites/web_1',
      '/dashboard/websites/shop.example.com',
      '/dashboard/document.html',
      '/dashboard/a.b/c',
      '/dashboard/app.0a1b2c3d.js/deeper',
      '/dashboard/%2e%2e',
    ];
    for (const place of places) {
      const { status, text, headers } = await ask(place);
      expect([status, text], place).to.deep.equal([200, document]);
      expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(headers.get('cache-control')).to.equal('no-cache');
      expect(headers.get('etag')).to.match(/^W\/"[\w-]{22}"$/);
    }
  });

  it('gives each file its media type, and a year to those that have their hash in the name', async () => {
    for (const [name, [type, cacheControl]] of Object.entries(TYPES)) {
      for (const place of [`/dashboard/${name}`, `/dashboard/websites/${name}?again`]) {
        const { status, headers } = await ask(place);
        expect(status, place).to.equal(200);
        expect(headers.get('content-type')).to.equal(type);
        expect(headers.get('cache-control'), place).to.equal(cacheControl);
        expect(headers.get('x-content-type-options')).to.equal('nosniff');
      }
    }
  });

  it('lets the document load its own files and nothing else, and no other page hold it', async () => {
    const { headers } = await ask('/dashboard');
    const told = Object.fromEntries(
      [
        'content-security-policy',
        'referrer-policy',
        'cross-origin-opener-policy',
        'x-content-type-options',
        'x-frame-options',
        'permissions-policy',
      ].map((name) => [name, headers.get(name)]),
    );
    expect(told).to.deep.equal({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'permissions-policy':
        'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
    });
  });

  it('answers 304 to who has it, in whatever form, and HEAD with the length alone', async () => {
    for (const place of ['/dashboard', '/dashboard/app.0a1b2c3d.js']) {
      const { headers } = await ask(place);
      const etag = headers.get('etag') ?? 'missing';
      const again = await ask(place, { headers: { 'if-none-match': etag, 'accept-encoding': 'br' } });
      expect([again.status, again.text, again.headers.get('etag')]).to.deep.equal([304, '', etag]);
      expect(again.headers.get('cache-control')).to.equal(headers.get('cache-control'));
      const head = await ask(place, { method: 'HEAD' });
      expect([head.status, head.text]).to.deep.equal([200, '']);
      expect(head.headers.get('content-length')).to.equal(headers.get('content-length'));
    }
  });

  it('answers 404 to any other file, and to what is never served although it is there', async () => {
    const places = [
      'app.js',
      'app.00000000.css',
      'app.0a1b2c3d.js.map',
      'app.0a1b2c3d.js.map.gz',
      'app.0a1b2c3d.js.gz',
      'app.0a1b2c3d.js.br',
      'document.html.gz',
      '.hidden.js',
      '.env',
      '..',
      'APP.0A1B2C3D.JS',
      'favicon.png',
      '%61pp.0a1b2c3d.js',
    ];
    for (const place of places) {
      const { status, code, text } = await ask(`/dashboard/${place}`);
      expect([status, code], place).to.deep.equal([404, 'NOT_FOUND']);
      expect(text).to.not.include('secret');
    }
  });

  it('answers a script of another version with one that loads the page again, and keeps nothing of it', async () => {
    for (const place of ['/dashboard/app.ffffffff.js', '/dashboard/websites/lazy-part.Zz_-9999.js']) {
      const { status, text, headers } = await ask(place, { headers: { 'accept-encoding': 'br' } });
      expect(status, place).to.equal(200);
      expect(headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect([headers.get('etag'), headers.get('content-encoding')]).to.deep.equal([null, null]);
      expect(text).to.include('location.reload()');
    }
  });

  it('takes an absolute folder and nothing else', async () => {
    for (const params of [
      { folder: 'dist/pages' },
      { folder: '' },
      {},
      { folder: directory.path, index: 'a' },
    ]) {
      const fault = await gateway.run(pagesPolicy, params).catch((thrown: Error) => thrown);
      expect(fault, JSON.stringify(params)).to.have.property('name', 'ZodError');
    }
  });
});
