/** Holds the built tracker to what pages may expect of a guest: small, classic, without eval and cookies; and how it is built and offered. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { namesEntityTag } from '../../../../services/shared/http/entity-tag.ts';
import { buildTracker } from '../../../../services/tracking/script/build-tracker.ts';
import {
  readTrackerScript,
  TRACKER_SCRIPT,
} from '../../../../services/tracking/script/read-tracker-script.ts';
import { createTrackerScript } from '../../../../services/tracking/script/tracker-script.ts';
import { rejection } from '../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';

describe('the script of the tracker', () => {
  it('is smaller than 3 KB compressed, as it is served', async () => {
    const { compressed, plain } = createTrackerScript(await readTrackerScript());
    expect(compressed.gzip.length).to.be.within(500, 2_999);
    expect(compressed.br.length).to.be.within(500, compressed.gzip.length);
    expect(gunzipSync(compressed.gzip)).to.deep.equal(Buffer.from(plain));
    expect(brotliDecompressSync(compressed.br)).to.deep.equal(Buffer.from(plain));
  });

  it('is a classic script in ASCII, without module syntax', () => {
    const text = readFileSync(TRACKER_SCRIPT, 'utf8');
    expect(() => new Script(text)).to.not.throw();
    expect(text).to.match(/^[\n -~]+$/);
    expect(text).to.not.match(/\b(?:import|export)\b/);
  });

  it('evaluates no text and touches no cookie', () => {
    const text = readFileSync(TRACKER_SCRIPT, 'utf8');
    expect(text).to.not.match(/\beval\b|\bFunction\s*\(|\bsetTimeout\(\s*["'`]/);
    expect(text).to.not.match(/cookie/i);
    expect(text).to.not.match(/innerHTML|document\.write|createElement/);
  });
});

describe('building the tracker', () => {
  let directory: TempDirectory;
  const write = (name: string, text: string) => writeFileSync(directory.file(`${name}.js`), text);

  beforeEach(() => {
    directory = createTempDirectory();
  });
  afterEach(() => directory.remove());

  it('joins the modules that main needs, each once and before those that use it', async () => {
    write('main', "import { b } from './b.js';\nimport { c } from './c.js';\nsend(b() + c);\n");
    write('b', "import { c } from './c.js';\nexport function b() {\n  return c;\n}\n");
    write('c', 'export const c = Math.random();\n');
    write('unused', 'send(0);\n');
    const sent: number[] = [];
    new Script(await buildTracker(directory.path)).runInNewContext({
      send: (value: number) => sent.push(value),
      Math: { random: () => 21 },
    });
    expect(sent).to.deep.equal([42]);
  });

  it('refuses two modules that declare one name', async () => {
    write('main', "import { b } from './b.js';\nfunction a() {}\nb(a());\n");
    write('b', 'function a() {}\nexport function b() {\n  a();\n}\n');
    expect(String(await rejection(buildTracker(directory.path)))).to.include(
      'two modules of the tracker declare a',
    );
  });
});

describe('the offer of the tracker', () => {
  it('is not sent again to those who name its version, weak or strong, alone or among others', () => {
    const { etag } = createTrackerScript(Buffer.from('a();'));
    for (const header of [etag, etag.slice(2), `"x", ${etag}`, '*']) {
      expect(namesEntityTag(header, etag), header).to.equal(true);
    }
    for (const header of [undefined, '', '"x"', `W/"x"`, etag.slice(3)]) {
      expect(namesEntityTag(header, etag), header).to.equal(false);
    }
  });

  it('has another version when the script is another', () => {
    expect(createTrackerScript(Buffer.from('a();')).etag).to.not.equal(
      createTrackerScript(Buffer.from('b();')).etag,
    );
  });
});
