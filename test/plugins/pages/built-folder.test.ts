/** What is read of a folder of built pages: the forms that were made, within bounds, and every fault at once. */
import { mkdirSync, rmSync, symlinkSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createTestGateway } from '../../../plugins/kit/testing.ts';
import { faultsOfFolder, readBuiltFolder } from '../../../plugins/pages/built-folder.ts';
import { MOST_BYTES, MOST_FILES } from '../../../plugins/pages/folder-contents.ts';
import { pagesPolicy } from '../../../plugins/pages/pages-policy.ts';
import { pageTexts, writePages } from '../../support/built-pages.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

const SCRIPT = 'app.0a1b2c3d.js';

describe('the folder of built pages', () => {
  let directory: TempDirectory;
  const at = (...names: string[]) => join(directory.path, ...names);

  beforeEach(() => {
    directory = createTempDirectory();
    writePages(directory.path);
  });
  afterEach(() => directory.remove());

  function faultsOf(folder = directory.path): string[] {
    try {
      readBuiltFolder(folder);
    } catch (fault) {
      const [first = '', ...faults] = (fault as Error).message.split('\n  ');
      expect(first).to.equal(
        `the pages in ${folder} cannot be served; allowed: a folder that a build filled; npm run build makes that of the dashboard (setting DASHBOARD_DIR):`,
      );
      expect(faultsOfFolder(folder)).to.deep.equal(faults);
      return faults;
    }
    expect(faultsOfFolder(folder)).to.deep.equal([]);
    return [];
  }

  it('gives each client the form that it likes best of those that were made, byte by byte', () => {
    const { document, files } = readBuiltFolder(directory.path);
    const text = pageTexts()['document.html'] ?? '';
    expect(document.codings).to.deep.equal(['br', 'gzip']);
    expect(brotliDecompressSync(document.compressed('br') as Buffer).toString()).to.equal(text);
    expect(gunzipSync(document.compressed('gzip') as Buffer).toString()).to.equal(text);
    expect(files.get('favicon.ico')?.codings).to.deep.equal([]);
    expect([...files.keys()])
      .to.include(SCRIPT)
      .and.not.include('document.html');
    expect([...files.keys()].filter((name) => /\.(?:gz|br)$/.test(name))).to.deep.equal([]);
  });

  it('sends what was made, the other form where one is missing, and plain bytes to who accepts none', async () => {
    unlinkSync(at('app.5e6f7a8b.css.br'));
    const gateway = createTestGateway();
    const ask = (name: string, accepted: string) =>
      gateway.run(
        pagesPolicy,
        { folder: directory.path },
        { url: `/dashboard/${name}`, headers: { 'accept-encoding': accepted } },
      );
    for (const [name, accepted, coding] of [
      [SCRIPT, 'gzip, deflate, br, zstd', 'br'],
      [SCRIPT, 'gzip', 'gzip'],
      [SCRIPT, 'br;q=0.1, gzip', 'gzip'],
      [SCRIPT, 'identity', null],
      ['app.5e6f7a8b.css', 'gzip, br', 'gzip'],
      ['app.5e6f7a8b.css', 'br', null],
      ['favicon.ico', 'gzip, br', null],
    ] as const) {
      const { status, headers } = await ask(name, accepted);
      expect([status, headers.get('content-encoding')], `${name} ${accepted}`).to.deep.equal([200, coding]);
      const varies = headers.get('vary') ?? '';
      expect(varies.includes('Accept-Encoding'), name).to.equal(name !== 'favicon.ico');
    }
  });

  it('is read once: what happens to it later changes no answer', () => {
    const { document, files } = readBuiltFolder(directory.path);
    rmSync(directory.path, { recursive: true });
    expect(document.plain.toString()).to.equal(pageTexts()['document.html']);
    expect(files.get(SCRIPT)?.compressed('br')).to.have.property('length').above(0);
    mkdirSync(directory.path);
  });

  it('is read once while it is as it was, and anew after any change, be it of the same length', () => {
    const { now } = Date;
    // What was just written may change within the same tick of the clock, so it is not kept.
    const { document } = readBuiltFolder(directory.path);
    expect(readBuiltFolder(directory.path).document).to.not.equal(document);
    try {
      Date.now = () => now() + 10_000;
      const first = readBuiltFolder(directory.path);
      expect(readBuiltFolder(directory.path).document).to.equal(first.document);
      expect(faultsOf()).to.deep.equal([]);
      writeFileSync(at('favicon.ico'), Buffer.from(first.files.get('favicon.ico')?.plain ?? '').reverse());
      const second = readBuiltFolder(directory.path);
      expect(second.files.get('favicon.ico')?.etag).to.not.equal(first.files.get('favicon.ico')?.etag);
      writeFileSync(at('more.txt'), 'more');
      expect(readBuiltFolder(directory.path).files.has('more.txt')).to.equal(true);
      expect(second.files.has('more.txt')).to.equal(false);
      writeFileSync(at(`${SCRIPT}.gz`), gzipSync('newer'));
      expect(faultsOf()).to.have.length(1);
    } finally {
      Date.now = now;
    }
  });

  it('is refused by its name and with what to run when it is missing or holds no document', () => {
    expect(faultsOf(at('nowhere'))).to.deep.equal(['there is no such folder, or it cannot be read']);
    expect(faultsOf(at(SCRIPT))).to.deep.equal(['there is no such folder, or it cannot be read']);
    for (const end of ['', '.gz', '.br']) unlinkSync(at(`document.html${end}`));
    expect(faultsOf()).to.deep.equal(['it holds no document.html']);
  });

  it('tells a form that became stale since it was read, and takes the one that was there before', () => {
    expect(faultsOf()).to.deep.equal([]);
    const made = gzipSync(pageTexts()[SCRIPT] ?? '');
    writeFileSync(at(`${SCRIPT}.gz`), gzipSync('newer'));
    expect(faultsOf()).to.deep.equal([`${SCRIPT}.gz is not ${SCRIPT} compressed: build the pages anew`]);
    writeFileSync(at(`${SCRIPT}.gz`), made);
    writeFileSync(at(SCRIPT), 'newer');
    expect(faultsOf()).to.have.length(2);
    writeFileSync(at(SCRIPT), pageTexts()[SCRIPT] ?? '');
    expect(faultsOf()).to.deep.equal([]);
  });

  it('tells every fault at once: a stale form, one without its file, a folder, an unknown kind, letters', () => {
    writeFileSync(at(`${SCRIPT}.gz`), gzipSync('older'));
    writeFileSync(at('app.5e6f7a8b.css.br'), 'not brotli');
    writeFileSync(at('gone.00000000.js.gz'), gzipSync('gone'));
    mkdirSync(at('assets'));
    writeFileSync(at('page.php'), '');
    writeFileSync(at('a b.txt'), '');
    expect(faultsOf()).to.have.members([
      '"a b.txt" has letters that no address of a page has',
      `${SCRIPT}.gz is not ${SCRIPT} compressed: build the pages anew`,
      'app.5e6f7a8b.css.br is not app.5e6f7a8b.css compressed: build the pages anew',
      'assets is no file: the files of pages lie side by side',
      'gone.00000000.js.gz stands there without gone.00000000.js',
      'page.php is no page: files end in .js, .css, .svg, .json, .png, .ico, .webmanifest, .txt, .woff2',
    ]);
  });

  it('follows links within the folder, as mounted volumes have them, and none that leads out', () => {
    mkdirSync(at('..data'));
    writeFileSync(at('..data', 'linked.txt'), 'linked');
    symlinkSync('..data/linked.txt', at('linked.txt'));
    expect(readBuiltFolder(directory.path).files.get('linked.txt')?.plain.toString()).to.equal('linked');
    symlinkSync('/etc/hostname', at('host.txt'));
    symlinkSync('nowhere.txt', at('lost.txt'));
    expect(faultsOf()).to.deep.equal([
      'host.txt is a link that leads out of the folder',
      'lost.txt cannot be read',
    ]);
  });

  it('is bounded in files and in bytes', () => {
    writeFileSync(at('large.txt'), '');
    truncateSync(at('large.txt'), MOST_BYTES);
    expect(faultsOf()).to.deep.equal([`its files have more than ${MOST_BYTES} bytes together`]);
    unlinkSync(at('large.txt'));
    for (let index = 0; index < MOST_FILES; index++) writeFileSync(at(`${index}.txt`), '');
    expect(faultsOf()[0]).to.match(
      new RegExp(`^it holds 2\\d\\d\\d files; at most ${MOST_FILES} are served$`),
    );
  });
});
