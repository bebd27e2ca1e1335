/** The URLs that links may lead to: no trick that one parser reads otherwise than another gets through. */

import { expect } from 'chai';
import fc from 'fast-check';
import { createIsReservedSlug } from '../../../../services/resources/links/reserved-slugs.ts';
import { LONGEST_URL, normalWebUrl } from '../../../../services/resources/links/schema.ts';

const TRICKS = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'ftp://example.com/',
  'blob:https://example.com/1',
  '//evil.example/',
  '/path',
  'example.com',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'https://',
  'https://?x',
  'https:\\\\evil.example',
  'https://good.example\\@evil.example/',
  'https://good.example/\\evil.example',
  ' https://example.com/',
  'https://example.com/ ',
  'https://example.com/a b',
  'https://exam\tple.com/',
  'https://example.com/\r\nSet-Cookie: a=b',
  'https://example.com/%0d%0aSet-Cookie:%20a=b',
  'https://example.com/%00',
  'https://example.com/%7F',
  'https://example.com/\u0000',
  'https://example.com/\u0085',
  'https://example.com/\u202Etxt',
  'https://example.com/\u200B',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://@example.com/',
  'https://good.example%2f@evil.example/',
  'https://exam%70le.com/',
  'https://exa mple.com/',
  'https://example.com:99999/',
  'https://[::1/',
  'http://good.example／.evil.example/',
  `https://example.com/${'x'.repeat(LONGEST_URL)}`,
];

describe('the URL of a link', () => {
  for (const trick of TRICKS) {
    it(`is not ${JSON.stringify(trick).slice(0, 80)}`, () => expect(normalWebUrl(trick)).to.equal(null));
  }

  it('is kept as the WHATWG standard writes it', () => {
    for (const [text, stored] of [
      ['https://example.com', 'https://example.com/'],
      ['HTTP://EXAMPLE.com:80/A?b=C#d', 'http://example.com/A?b=C#d'],
      ['https://bücher.example/ä?ö', 'https://xn--bcher-kva.example/%C3%A4?%C3%B6'],
      ['https://example.com/a/../b', 'https://example.com/b'],
      ['https://example.com/?to=mail@example.com', 'https://example.com/?to=mail@example.com'],
      ['http://2130706433/', 'http://127.0.0.1/'],
    ]) {
      expect(normalWebUrl(text ?? ''), text).to.equal(stored);
    }
  });

  it('stays what it is when it is read again, and is never anything but http or https with a host', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string()),
        (text) => {
          const stored = normalWebUrl(text);
          if (stored === null) return;
          expect(stored).to.match(/^https?:\/\/[^/?#@\\]+\//);
          expect(stored).to.match(/^[\x21-\x7e]+$/);
          expect(normalWebUrl(stored)).to.equal(stored);
        },
      ),
    );
  });
});

describe('a reserved slug', () => {
  it('is one of the served segments or of the words that are kept free, in any case, and nothing else', () => {
    const isReserved = createIsReservedSlug(() => ['Track', 'v1']);
    for (const word of ['track', 'TRACK', 'v1', 'admin', 'Robots'])
      expect(isReserved(word), word).to.equal(true);
    for (const word of ['tracks', 'v2', 'sale']) expect(isReserved(word), word).to.equal(false);
  });
});
