/** What state a link is in, and which addresses of it are followed. */
import { expect } from 'chai';
import { stateOf, webAddress } from '../../../../../../services/dashboard/client/screens/links/link-state.ts';
import { HOSTILE_TEXTS } from '../../../../../support/hostile-texts.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const state = (expiresAt: string | null, expiredRedirectUrl: string | null = null) =>
  stateOf({ expiresAt, expiredRedirectUrl }, NOW);

describe('the state of a link', () => {
  it('is in force without an end, and marked within a week of it', () => {
    expect(state(null)).to.equal('active');
    expect(state('2026-06-22T12:00:00.001Z')).to.equal('active');
    expect(state('2026-06-22T12:00:00.000Z')).to.equal('ending');
    expect(state('2026-06-15T12:00:00.001Z')).to.equal('ending');
  });

  it('has ended from the very instant on, and says when it leads elsewhere since', () => {
    expect(state('2026-06-15T12:00:00.000Z')).to.equal('ended');
    expect(state('2026-06-15T12:00:00.000Z', 'https://shop.example.com/')).to.equal('moved');
  });
});

describe('an address of a link', () => {
  it('is followed where it is one of the web', () => {
    expect(webAddress('https://shop.example.com/a?b#c')).to.equal('https://shop.example.com/a?b#c');
    expect(webAddress('http://shop.example.com')).to.equal('http://shop.example.com/');
  });

  it('is none when it is a script, a path, or anything else', () => {
    const others = ['', '/track', 'shop.example.com', 'ftp://x.example/', 'blob:https://x.example/1'];
    for (const text of [...others, ...HOSTILE_TEXTS]) {
      expect(webAddress(text) ?? 'https://none', text).to.match(/^https?:\/\//);
    }
    expect(webAddress('JavaScript:alert(1)')).to.equal(undefined);
    expect(webAddress('\u0001javascript:alert(1)')).to.equal(undefined);
  });
});
