/** The language of longer texts that tests show on every screen. */
import { expect } from 'chai';
import { lengthened, lengthenedText } from './lengthened.ts';

describe('the language of longer texts', () => {
  it('makes every text forty percent longer, its words too, and leaves numbers as they are', () => {
    for (const text of [
      'Websites',
      'API keys',
      'No event yet. Add one line to your pages.',
      'A',
      '12,345 visitors of 2 days',
    ]) {
      const longer = lengthenedText(text);
      expect(longer.length, longer).to.equal(text.length + Math.ceil(text.length * 0.4));
      expect(longer.replace(/\D/g, ''), longer).to.equal(text.replace(/\D/g, ''));
    }
    expect(lengthenedText('Websites')).to.equal('Webbsiitesss');
    expect(lengthenedText('12 %')).to.equal('12 %');
  });

  it('reaches sections, lists and what functions say', () => {
    const texts = {
      title: 'Keys',
      rows: ['One', 'Two'],
      of: { count: (count: number) => `${count} keys`, within: (name: string) => `About ${name}` },
      none: null,
    };
    const longer = lengthened(texts);
    expect(longer.title).to.equal(lengthenedText('Keys'));
    expect(longer.rows).to.deep.equal([lengthenedText('One'), lengthenedText('Two')]);
    expect(longer.of.count(3)).to.equal(lengthenedText('3 keys'));
    expect(longer.of.within(longer.title)).to.equal(lengthenedText('About Keys'));
    expect(longer.none).to.equal(null);
  });
});
