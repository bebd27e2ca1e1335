/** One address in all of its spellings: whoever hides an own service behind another one is found. */
import { expect } from 'chai';
import { ownAddresses, placeOf } from '../../../gateway/configuration/own-addresses.ts';

describe('the place of an address', () => {
  for (const [one, other] of [
    ['http://Query.Example.com:4001', 'http://query.example.com:4001/'],
    ['http://query.example.com.:4001', 'http://query.example.com:4001'],
    ['http://query.example.com', 'http://query.example.com:80'],
    ['https://query.example.com', 'https://query.example.com:443/'],
    ['https://query.example.com:4001', 'http://query.example.com:4001'],
    ['http://localhost:4001', 'http://127.0.0.1:4001'],
    ['http://LOCALHOST:4001', 'http://[::1]:4001'],
    ['http://127.0.0.1:4001', 'http://[0:0:0:0:0:0:0:1]:4001'],
    ['http://127.0.0.1:4001', 'http://127.1:4001'],
    ['http://127.0.0.1:4001', 'http://2130706433:4001'],
    ['http://127.0.0.1:4001', 'http://127.0.0.2:4001'],
    ['http://127.0.0.1:4001', 'http://0.0.0.0:4001'],
    ['http://127.0.0.1:4001', 'http://[::]:4001'],
    ['http://127.0.0.1:4001', 'http://[::ffff:127.0.0.1]:4001'],
    ['http://127.0.0.1:4001', 'http://query.localhost:4001'],
    ['http://10.0.0.1:4001', 'http://[::ffff:10.0.0.1]:4001'],
    ['http://[2001:DB8::1]:4001', 'http://[2001:db8:0:0::1]:4001'],
  ] as const) {
    it(`is the same for ${one} and ${other}`, () => {
      expect(placeOf(one)).to.equal(placeOf(other)).and.to.be.a('string');
    });
  }

  for (const [one, other] of [
    ['http://127.0.0.1:4001', 'http://127.0.0.1:4002'],
    ['http://127.0.0.1:4001', 'http://10.0.0.1:4001'],
    ['http://localhost:4001', 'http://localhost.example.com:4001'],
    ['http://query.example.com', 'https://query.example.com'],
  ] as const) {
    it(`tells ${one} from ${other}`, () => {
      expect(placeOf(one)).to.not.equal(placeOf(other));
    });
  }

  it('is none for what is no address', () => {
    expect(['', 'localhost', '//a', 'http://'].map(placeOf)).to.deep.equal([null, null, null, null]);
  });

  it('is known of every address of every service', () => {
    const own = ownAddresses({ QUERY_URL: 'http://a:1,http://B:2/ ', RESOURCES_URL: 'http://[::1]:3' });
    expect([...own].map(([name, places]) => [name, [...places]])).to.deep.equal([
      ['query', ['a:1', 'b:2']],
      ['tracking', []],
      ['resources', ['localhost:3']],
    ]);
  });
});
