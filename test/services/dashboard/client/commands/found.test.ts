/** Checks what the palette finds by what was typed. */
import { expect } from 'chai';
import { found } from '../../../../../services/dashboard/client/commands/found.ts';

const command = (text: string, hint?: string) => ({ path: `/${text}`, text, hint });
const ALL = [
  command('Overview'),
  command('API keys'),
  command('Shop', 'shop.example.com'),
  command('Keyboards', 'keys.example.com'),
];
const names = (typed: string) => found(ALL, typed).map(({ text }) => text);

describe('the palette', () => {
  it('finds every word of what was typed in the name or the domain, whatever the case', () => {
    expect(names('SHOP')).to.deep.equal(['Shop']);
    expect(names('example shop')).to.deep.equal(['Shop']);
    expect(names('nothing')).to.deep.equal([]);
  });

  it('shows first what begins with it, and all in their order before anything is typed', () => {
    expect(names('key')).to.deep.equal(['Keyboards', 'API keys']);
    expect(names(' ')).to.deep.equal(['Overview', 'API keys', 'Shop', 'Keyboards']);
  });

  it('shows a dozen, and the rest to who types more', () => {
    const many = Array.from({ length: 40 }, (_, index) => command(`Website ${index}`));
    expect(found(many, 'website')).to.have.length(12);
    expect(found(many, 'website 39').map(({ text }) => text)).to.deep.equal(['Website 39']);
  });
});
