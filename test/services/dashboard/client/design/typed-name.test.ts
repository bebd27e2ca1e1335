/** The name that confirms an end: what people see is what they type. */
import { expect } from 'chai';
import { isTyped, nameToType } from '../../../../../services/dashboard/client/design/typed-name.ts';

const named = (name: string) => ({ name, domain: 'shop.example.com' });

describe('the name to type', () => {
  const names: [string, string][] = [
    ['Shop', 'Shop'],
    ['  My \t shop ', 'My shop'],
    ['a\u202egnp.exe\u202c', 'agnp.exe'],
    ['zero\u200bwidth', 'zerowidth'],
    ['Cafe\u0301', 'Café'],
    ['\u200e\u0007', 'shop.example.com'],
  ];
  for (const [name, shown] of names) {
    it(`is ${JSON.stringify(shown)} of ${JSON.stringify(name)}, and typing that confirms`, () => {
      expect(nameToType(named(name))).to.equal(shown);
      expect(isTyped(` ${shown} `, named(name))).to.equal(true);
      expect(isTyped(name, named(name))).to.equal(shown !== 'shop.example.com');
    });
  }

  it('is the identifier where there is no domain', () => {
    expect(nameToType({ name: '\u200e', id: 'key_1' })).to.equal('key_1');
    expect(nameToType({ name: 'Shop', id: 'key_1' })).to.equal('Shop');
  });

  it('is not confirmed by anything else', () => {
    for (const typed of ['', ' ', 'shop', 'Sho', 'Shop!', 'shop.example.com']) {
      expect(isTyped(typed, named('Shop')), typed).to.equal(false);
    }
  });
});
