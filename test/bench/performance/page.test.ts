/** What is made of a document of figures: the page that is committed, its tables, its warnings, and its plots. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { coloursIn, contrastOf } from '../../support/contrast.ts';
import { documentSchema } from './document.ts';
import { EXAMPLE } from './example-document.ts';
import { DOCUMENT_FILE, PAGE_FILE, renderFiles } from './page.ts';
import { COLOURS } from './plot.ts';

const files = renderFiles(EXAMPLE);
const page = files.get(PAGE_FILE) ?? '';
const plots = [...files].filter(([name]) => name.endsWith('.svg'));

describe('the page of performance', () => {
  it('that is committed, and its plots, are what the document beside it gives', () => {
    const folder = join(PACKAGE_ROOT, 'docs');
    const document = documentSchema.parse(JSON.parse(readFileSync(join(folder, DOCUMENT_FILE), 'utf8')));
    for (const [name, text] of renderFiles(document)) {
      const remedy = `${name}: npm run bench -- --render docs/${DOCUMENT_FILE}`;
      expect(existsSync(join(folder, name)), remedy).to.equal(true);
      expect(readFileSync(join(folder, name), 'utf8'), remedy).to.equal(text);
    }
  });

  it('tells method, machine, date and what was left out, and sums up what Tidegate took beside its peers', () => {
    expect(documentSchema.parse(EXAMPLE)).to.deep.equal(EXAMPLE);
    for (const text of [
      'Machine: Example <1>, 2 processors, 25 GB of memory, Linux 6, Node v20.19.0.',
      'Measured on 2026-01-02 in 61 s; the machine was 1 % busy before, 5 % after.',
      '- Traefik (gateway): Traefik is built with go, which is not installed.',
      '| CPU of a GET through the gateway | 41.3 µs | bare undici 40.3 µs |',
      '| p99 of a GET at half load | 3.00 ms | upstream alone 1.00 ms, bare undici 2.00 ms |',
      '| CPU of a request with 1,000 routes | 50.0 µs | 1.00 × that with one of each |',
      '| five datasets of the middle website of 1,000,000 events, p50 | 50.0 ms | PostgreSQL 500 ms |',
      '| durable events a second: 100 events at once, 16 callers | 25,558 | PostgreSQL by COPY 25,558 |',
      '| GET | Tidegate | 10,000 | 0.25 | 3.00 | 4.00 | 2.00 | 0 |',
    ]) {
      expect(page.replaceAll('\n', ' '), text).to.include(text.replaceAll('\n', ' '));
    }
  });

  it('warns of a part that was measured beside other work, or with small counts, and of no other', () => {
    const warned = (text: string) => text.split('\n## ').filter((section) => section.includes('**'));
    expect(warned(page).map((section) => section.split('\n')[0])).to.deep.equal(['Ingest']);
    const { growth } = EXAMPLE;
    if (!growth) throw new Error('the example has no growth');
    const quick = renderFiles({
      ...{ ...EXAMPLE, ingest: undefined },
      growth: { ...growth, about: { ...growth.about, quick: true } },
    });
    expect(warned(quick.get(PAGE_FILE) ?? '')).to.have.length(1);
  });

  it('shows every plot with a title, and leaves out the parts that were not measured', () => {
    const shown = [...page.matchAll(/!\[([^\]]{20,})\]\(([^)]+)\)/g)].map(([, , name]) => name);
    expect(shown).to.have.members(plots.map(([name]) => name));
    const { version, machine } = EXAMPLE;
    const empty = renderFiles({
      version,
      machine,
      leftOut: [],
      failed: [{ part: 'query', reason: 'No disk.' }],
    });
    expect([...empty.keys()]).to.deep.equal([PAGE_FILE]);
    expect(empty.get(PAGE_FILE)).to.include('- all of query: No disk.');
  });
});

describe('the plots of performance', () => {
  it('have a title and a text that tells every figure, for those who do not see them', () => {
    expect(plots).to.have.length(6);
    for (const [name, svg] of plots) {
      expect(svg, name).to.match(
        /^<svg [^>]*role="img" aria-labelledby="title text">\n<title id="title">[^<]+</,
      );
      expect(svg, name).to.match(/<desc id="text">[^<]*\d[^<]*<\/desc>/);
      expect(svg, name).not.to.match(/NaN|Infinity|undefined/);
    }
    const waits = files.get('pictures/performance-gateway-waits.svg');
    expect(waits).to.include('GET: upstream alone 1.00 ms, bare undici 2.00 ms, Tidegate 3.00 ms.');
    const growth = files.get('pictures/performance-query-growth.svg');
    expect(growth).to.include('PostgreSQL: 50.0 ms at 100,000 events, 500 ms at 1,000,000 events.');
  });

  it('are readable on light and on dark screens', () => {
    const channels = (hex: string) => {
      const parts = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      const [colour] = coloursIn(`rgb(${parts.join(', ')})`);
      if (colour === undefined) throw new Error(`${hex} is no colour`);
      return colour;
    };
    for (const { ground, text, own, other } of Object.values(COLOURS)) {
      expect(contrastOf(channels(text), channels(ground))).to.be.at.least(4.5);
      for (const bar of [own, other]) expect(contrastOf(channels(bar), channels(ground))).to.be.at.least(3);
    }
  });
});
