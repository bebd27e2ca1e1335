/** Places by address: what a database says, in the form of the headers, and what is no database. */
import { expect } from 'chai';
import { readPlaceDatabase } from '../../../../services/tracking/geoip/place-database.ts';
import { cityRecord, mmdb } from '../../../support/mmdb-writer.ts';

const NETWORKS = {
  '81.2.69.0/24': cityRecord('GB', 'England', 'London'),
  '200.7.0.0/16': cityRecord('br', 'São Paulo', 'São Paulo'),
  '9.9.9.9/32': cityRecord('DE', 'x'.repeat(200)),
  '10.1.0.0/16': cityRecord('EU'),
  '10.2.0.0/16': { continent: { code: 'EU' } },
  '10.3.0.0/16': { country: { iso_code: 'SG' }, city: { names: { en: ' \u0007 ' } } },
  '10.4.0.0/16': { country: { iso_code: 'SG' }, subdivisions: [{ iso_code: '01' }] },
  '2001:db8::/32': cityRecord('JP', 'Tokyo', 'Chiyoda'),
};
const NOWHERE = { country: null, region: null, city: null };

describe('a database of places', () => {
  for (const recordSize of [24, 28, 32] as const) {
    it(`tells country, region and city of IPv4 and IPv6 addresses, with records of ${recordSize} bits`, () => {
      const { locate, type } = readPlaceDatabase(mmdb(NETWORKS, { recordSize }));
      expect(type).to.equal('GeoLite2-City');
      expect(locate('81.2.69.160')).to.deep.equal({ country: 'GB', region: 'England', city: 'London' });
      expect(locate('::ffff:81.2.69.160')).to.include({ city: 'London' });
      expect(locate('200.7.255.1')).to.deep.equal({ country: 'BR', region: 'São Paulo', city: 'São Paulo' });
      expect(locate('2001:db8:1::7')).to.deep.equal({ country: 'JP', region: 'Tokyo', city: 'Chiyoda' });
      for (const address of ['81.2.70.1', '127.0.0.1', '::1', '2001:db9::1']) {
        expect(locate(address), address).to.deep.equal(NOWHERE);
      }
    });
  }

  it('tells what the headers of CDNs would: codes of two letters, bounded names, nothing for what is no place', () => {
    const { locate } = readPlaceDatabase(mmdb(NETWORKS));
    expect(locate('9.9.9.9')).to.deep.equal({ country: 'DE', region: 'x'.repeat(128), city: null });
    expect(locate('10.1.2.3')).to.deep.equal(NOWHERE);
    expect(locate('10.2.2.3')).to.deep.equal(NOWHERE);
    expect(locate('10.3.2.3')).to.deep.equal({ country: 'SG', region: null, city: null });
    expect(locate('10.4.2.3')).to.deep.equal({ country: 'SG', region: '01', city: null });
  });

  it('knows no place of what is no address', () => {
    const { locate } = readPlaceDatabase(mmdb(NETWORKS));
    for (const text of [
      '',
      'unknown',
      '81.2.69',
      '81.2.69.160, 1.1.1.1',
      '81.2.69.160\n',
      '1'.repeat(10_000),
      'fe80::1%eth0',
    ]) {
      expect(locate(text), text.slice(0, 20)).to.deep.equal(NOWHERE);
    }
  });

  it('of IPv4 alone knows no place of IPv6 addresses', () => {
    const { '2001:db8::/32': _, ...networks } = NETWORKS;
    const { locate } = readPlaceDatabase(mmdb(networks, { ipVersion: 4, type: 'DBIP-City-Lite' }));
    expect(locate('81.2.69.160')).to.include({ country: 'GB' });
    expect(locate('5102:4500::1')).to.deep.equal(NOWHERE);
  });

  it('of another kind, of no kind, or cut anywhere is refused, saying why', () => {
    const whole = mmdb(NETWORKS);
    const reasonOf = (bytes: Buffer) => {
      try {
        readPlaceDatabase(bytes);
        return null;
      } catch (fault) {
        return (fault as Error).message;
      }
    };
    expect(reasonOf(mmdb(NETWORKS, { type: 'GeoLite2-ASN' }))).to.match(
      /"GeoLite2-ASN", which holds no places/,
    );
    for (const bytes of [Buffer.alloc(0), Buffer.from('no database'), Buffer.alloc(100_000, 1)]) {
      expect(reasonOf(bytes)).to.match(/not a MaxMind DB|damaged/);
    }
    for (let part = 1; part < 20; part++) {
      const cut = whole.subarray(0, Math.floor((whole.length * part) / 20));
      expect(reasonOf(cut), `${part}/20`).to.be.a('string');
      expect(reasonOf(whole.subarray(whole.length - cut.length)), `the last ${part}/20`).to.be.a('string');
    }
    expect(reasonOf(whole)).to.equal(null);
  });
});
