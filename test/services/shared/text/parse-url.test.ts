/** Parsing URLs, also after so many calls that the engine has optimized it. */
import { expect } from 'chai';
import { parseUrl } from '../../../../services/shared/text/parse-url.ts';

describe('parsing a URL', () => {
  it('knows a valid one with letters beyond ASCII however often it is asked, and null for what is none', () => {
    const texts = ['https://bücher.example/ä?ö', 'https://example.com/a', 'none'];
    const hosts = new Set<string>();
    for (let i = 0; i < 60_000; i++) hosts.add(parseUrl(texts[i % 3] ?? '')?.host ?? 'null');
    expect([...hosts]).to.deep.equal(['xn--bcher-kva.example', 'example.com', 'null']);
  });
});
