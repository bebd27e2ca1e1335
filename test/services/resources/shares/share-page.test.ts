/** The document of a share: what stands in it is a text, and a document that was not built stops the start. */
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { readSharePage, type SharePageState } from '../../../../services/resources/shares/share-page.ts';
import { HOSTILE_TEXTS } from '../../../support/hostile-texts.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';

const PLACE = '<html data-share="&quot;missing&quot;">';

describe('the document of a share', () => {
  let directory: TempDirectory;
  beforeEach(() => {
    directory = createTempDirectory();
  });
  afterEach(() => directory.remove());

  function written(text: string): string {
    const file = directory.file('document.html');
    writeFileSync(file, text);
    return file;
  }

  it('holds any name within one attribute', () => {
    const page = readSharePage(written(`a ${PLACE} b`));
    for (const name of [...HOSTILE_TEXTS, '$&', "$'", '</html>']) {
      const state: SharePageState = {
        share: {
          ...{ name, datasets: ['summary'], timezone: 'UTC', preset: null, from: null },
          ...{ to: '2026-01-01T00:00:00.000Z', granularity: null, hasParts: true },
        },
      };
      const [, attribute = ''] =
        /^a <html data-share="([^"<>]*)"> b$/s.exec(Buffer.from(page(state)).toString()) ?? [];
      const text = attribute
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&');
      expect(JSON.parse(text), name).to.deep.equal(state);
    }
  });

  it('is not read where it was not built, or has not one place for what it tells', () => {
    expect(() => readSharePage(directory.file('none.html'))).to.throw(/none\.html is missing: npm run build/);
    for (const text of ['<html>', PLACE + PLACE])
      expect(() => readSharePage(written(text))).to.throw(/has no place for what it shows/);
  });
});
