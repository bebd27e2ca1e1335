/** Origins: which entries of a list are some, and which pages they admit. */
import { expect } from 'chai';
import { createOrigins, originFault } from '../../../plugins/cors/origins.ts';

describe('origins', () => {
  it('are written as browsers write them', () => {
    const good = [
      '*',
      'https://app.example.com',
      'http://localhost:3000',
      'https://*.example.com',
      'https://[::1]:8443',
    ];
    for (const text of [
      ...good,
      'https://*.example.co.uk:8443',
      'https://xn--bcher-kva.example',
      'http://10.0.0.1',
    ])
      expect(originFault(text), text).to.equal(null);
    const bad: Record<string, RegExp> = {
      'https://app.example.com/': /^is no origin/,
      'https://app.example.com:443': /write https:\/\/app\.example\.com$/,
      'HTTPS://App.example.com': /write https:\/\/app\.example\.com$/,
      'https://*.Example.com': /write https:\/\/\*\.example\.com$/,
      'https://bücher.example': /write https:\/\/xn--bcher-kva\.example$/,
      'https://*.com': /top-level domain/,
      'https://*.0.0.1': /top-level domain|is no origin/,
      'https://app*.example.com': /star/,
      'https://*': /star/,
      'https://a.*.example.com': /star/,
      'https://*.*.example.com': /star|is no origin|not as browsers/,
    };
    for (const [text, told] of Object.entries(bad)) expect(originFault(text), text).to.match(told);
    for (const text of [
      '',
      'null',
      'app.example.com',
      'ftp://a.example',
      'https://u:p@a.example',
      'file://',
      'https://',
    ])
      expect(originFault(text), JSON.stringify(text)).to.be.a('string');
  });

  it('admit exactly what they name', () => {
    const admits = createOrigins(['https://app.example.com', 'https://*.shop.example:8443']);
    const inside = [
      'https://app.example.com',
      'https://a.shop.example:8443',
      'https://a.b.shop.example:8443',
    ];
    for (const origin of inside) expect(admits(origin), origin).to.equal(true);
    const outside = [
      ...[
        'http://app.example.com',
        'https://app.example.com:8443',
        'https://app.example.com.evil.example',
        'null',
      ],
      ...[
        'https://xapp.example.com',
        'https://shop.example:8443',
        'https://.shop.example:8443',
        'https://a.shop.example',
      ],
      ...[
        'https://evilshop.example:8443',
        'https://evil.example/.shop.example:8443',
        'https://a..shop.example:8443',
      ],
      ...[
        'https://evil.example#.shop.example:8443',
        'https://evil.example\\.shop.example:8443',
        'https://*.shop.example:8443',
      ],
      ...[
        'https://a@evil.example?.shop.example:8443',
        'HTTPS://APP.EXAMPLE.COM',
        'https://app.example.com, https://a',
        '',
      ],
    ];
    for (const origin of outside) expect(admits(origin), origin).to.equal(false);
    expect(createOrigins(['*'])('https://any.example')).to.equal(true);
  });
});
