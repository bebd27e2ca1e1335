/** The built page of shares: how small it is, that nothing of the dashboard is in it, and what its document says of itself. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { buildShare } from '../../../../services/dashboard/build/build-share.ts';
import { readSharePage } from '../../../../services/resources/shares/share-page.ts';

const KILOBYTE = 1024;

describe('the build of the page of shares', () => {
  let folder = '';
  const build = (to: string) =>
    buildShare({
      client: join(PACKAGE_ROOT, 'services/dashboard/client/'),
      root: `${PACKAGE_ROOT}/`,
      folder: to,
    });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-share-'));
    await build(folder);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const files = () => readdirSync(folder).filter((name) => !/\.(?:gz|br)$/.test(name));
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  const named = (pattern: RegExp) => files().find((name) => pattern.test(name)) ?? '';
  const zipped = (name: string) => statSync(join(folder, `${name}.gz`)).size;

  it('is a document, one script of at most 40 KB, one style sheet of at most 8 KB, and the licences', () => {
    expect(files().map((name) => name.replace(/\.[\w-]{8}\./, '.'))).to.have.members([
      ...['document.html', 'share.js', 'share.css', 'licences.txt'],
    ]);
    expect(zipped(named(/\.js$/))).to.be.within(10 * KILOBYTE, 40 * KILOBYTE);
    expect(zipped(named(/\.css$/))).to.be.within(KILOBYTE, 8 * KILOBYTE);
    expect(zipped('document.html')).to.be.at.most(2 * KILOBYTE);
  });

  it('holds nothing that needs a session', () => {
    expect(text(named(/\.js$/))).to.not.match(/\/v1\/(?!shares)|\/dashboard|BroadcastChannel|same-origin/);
  });

  it('names its files alone, and no other host', () => {
    const document = text('document.html');
    expect(document).not.to.match(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
    const own = [...document.matchAll(/(?:src|href)="\/share\/_\/([^"]+)"/g)].map(([, name]) => name);
    expect(own).to.have.members([named(/\.js$/), named(/\.css$/), named(/\.txt$/)]);
    const hosts = [named(/\.js$/), 'document.html'].flatMap((name) =>
      [...text(name).matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host),
    );
    expect(hosts.filter((host) => !/^(?:www\.w3\.org|github\.com)$/.test(host ?? ''))).to.deep.equal([]);
    expect(text(named(/\.txt$/))).to.match(/^preact \d/m);
  });

  it('has one place for what the service tells its script', () => {
    const page = readSharePage(join(folder, 'document.html'));
    expect(Buffer.from(page('missing')).toString()).to.equal(text('document.html'));
    expect(Buffer.from(page('locked')).toString()).to.include(
      '<html lang="en" data-share="&quot;locked&quot;">',
    );
  });

  it('makes the same files of the same sources', async () => {
    const again = mkdtempSync(join(tmpdir(), 'tidegate-share-'));
    try {
      await build(again);
      expect(readdirSync(again).sort()).to.deep.equal(readdirSync(folder).sort());
    } finally {
      rmSync(again, { recursive: true, force: true });
    }
  });
});
