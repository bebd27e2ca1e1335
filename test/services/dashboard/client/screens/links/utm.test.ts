/** The campaign builder: what is typed stands in the address, and nothing else of it changes. */
import { expect } from 'chai';
import fc from 'fast-check';
import { UTM, utmOf, withUtm } from '../../../../../../services/dashboard/client/screens/links/utm.ts';

const SALE = 'https://shop.example.com/sale';

describe('the campaign in an address', () => {
  it('is put at the end of the query string, before the fragment', () => {
    expect(withUtm(SALE, 'source', 'poster')).to.equal(`${SALE}?utm_source=poster`);
    expect(withUtm(`${SALE}?a=1`, 'medium', 'print')).to.equal(`${SALE}?a=1&utm_medium=print`);
    expect(withUtm(`${SALE}#top`, 'term', 'x')).to.equal(`${SALE}?utm_term=x#top`);
    expect(withUtm(`${SALE}?#a?b`, 'content', 'x')).to.equal(`${SALE}?utm_content=x#a?b`);
  });

  it('is changed where it stands, and there once', () => {
    const address = `${SALE}?utm_source=a&b=2&utm_source=c&utm_medium=d`;
    expect(withUtm(address, 'source', 'z')).to.equal(`${SALE}?utm_source=z&b=2&utm_medium=d`);
  });

  it('is taken out by an empty value, with the question mark that only it needed', () => {
    expect(withUtm(`${SALE}?utm_campaign=x`, 'campaign', '')).to.equal(SALE);
    expect(withUtm(`${SALE}?a=1&utm_campaign=x#y`, 'campaign', '')).to.equal(`${SALE}?a=1#y`);
    expect(withUtm(SALE, 'campaign', '')).to.equal(SALE);
  });

  it('is written so that no character of it means anything in an address', () => {
    const address = withUtm(SALE, 'source', 'a&b=c#d?e %41+é');
    expect(address).to.match(/^https:\/\/shop\.example\.com\/sale\?utm_source=[\w%+]+$/);
    expect(utmOf(address, 'source')).to.equal('a&b=c#d?e %41+é');
    expect(new URL(address).searchParams.get('utm_source')).to.equal('a&b=c#d?e %41+é');
  });

  it('is read from what somebody typed, also from an address that is none yet', () => {
    expect(utmOf('shop.example.com?utm_medium=e%2Dmail&x', 'medium')).to.equal('e-mail');
    expect(utmOf(`${SALE}?utm_term=%zz+y`, 'term')).to.equal('%zz y');
    for (const none of ['', SALE, `${SALE}#?utm_source=x`, `${SALE}?xutm_source=x`, `${SALE}?UTM_SOURCE=x`]) {
      expect(utmOf(none, 'source'), none).to.equal('');
    }
  });

  it('comes back as it was typed, letter by letter, whatever else the address holds', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 12 });
    const part = fc.stringMatching(/^[a-z0-9=%+;,.]{0,6}$/);
    fc.assert(
      fc.property(
        fc.constantFrom(...UTM),
        text,
        fc.array(part),
        fc.boolean(),
        (utm, value, parts, hasEnd) => {
          const others = parts.filter((each) => each !== '');
          const query = others.length > 0 ? `?${others.join('&')}` : '';
          const before = `${SALE}${query}${hasEnd ? '#end' : ''}`;
          const after = withUtm(before, utm, value);
          expect(utmOf(after, utm)).to.equal(value);
          expect(withUtm(after, utm, '')).to.equal(before);
        },
      ),
    );
  });
});
