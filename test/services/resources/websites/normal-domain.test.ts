/** What becomes of the domains that people paste: one host, or a refusal where none is meant plainly. */
import { expect } from 'chai';
import fc from 'fast-check';
import { normalDomain } from '../../../../services/resources/websites/normal-domain.ts';

describe('the normal form of a domain', () => {
  for (const [text, domain] of [
    ['https://WWW.Example.com/path', 'example.com'],
    ['example.com', 'example.com'],
    ['  Example.COM \n', 'example.com'],
    ['www.example.com', 'example.com'],
    ['www.www.example.com', 'example.com'],
    ['wwwx.example.com', 'wwwx.example.com'],
    ['example.com.', 'example.com'],
    ['http://example.com:8080', 'example.com'],
    ['example.com:8080/start?x=https://other.example', 'example.com'],
    ['//example.com/x', 'example.com'],
    ['https://example.com/@somebody', 'example.com'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['https://www.日本.example', 'xn--wgv71a.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['localhost', 'localhost'],
    ['http://localhost:3000/', 'localhost'],
    ['www.localhost', 'localhost'],
    ['intranet', 'intranet'],
    ['www.com', 'www.com'],
    ['127.0.0.1', '127.0.0.1'],
    ['http://192.168.0.10:3000/app', '192.168.0.10'],
    ['http://[::1]:3000/', '[::1]'],
    ['http://[2001:DB8::1]', '[2001:db8::1]'],
  ] as const) {
    it(`is ${domain} of ${JSON.stringify(text)}`, () => expect(normalDomain(text)).to.equal(domain));
  }

  for (const text of [
    ...['', ' ', '.', '..', '/', '/path', '///example.com', '?x', '#x', '*', '*.example.com', 'a b.example'],
    ...[
      'ftp://example.com',
      'mailto:a@example.com',
      'javascript:alert(1)',
      'https:example.com',
      'https:/example.com',
    ],
    ...[
      'https:\\\\example.com',
      'exam\tple.com',
      'exam\u0000ple.com',
      'user@example.com',
      'https://u:p@example.com',
    ],
    ...['7', '0x7f.1', '127.1', '0177.0.0.1', '2130706433', '256.0.0.1', '2001:db8::1', 'example.com:99999'],
    ...['a..example.com', '-a.example.com', 'a-.example.com', 'a_b.example.com', `${'a'.repeat(64)}.com`],
    `${'a.'.repeat(127)}com`,
  ]) {
    it(`is none of ${JSON.stringify(text)}`, () => expect(normalDomain(text)).to.equal(null));
  }

  it('is its own normal form, whatever it came of', () => {
    const part = fc.constantFrom(
      'www.',
      'WWW.',
      'a.',
      'com',
      'example',
      '.',
      ':80',
      '/',
      'ü',
      '1',
      '0x1',
      '[::1]',
      'https://',
      '//',
      '@',
      ' ',
      '\\',
    );
    const pasted = fc.oneof(
      fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
      fc.webUrl(),
      fc.domain(),
      fc.ipV4(),
      fc.string(),
    );
    fc.assert(
      fc.property(pasted, (text) => {
        const domain = normalDomain(text);
        if (domain !== null) expect(normalDomain(domain)).to.equal(domain);
      }),
      { numRuns: 3_000 },
    );
  });
});
