/** Checks the projected map: whole pixels within its frame, and every country that an event can come from. */
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { worldMap } from '../../../../services/dashboard/build/world-map.ts';
import { packedPath, unpackedPath } from '../../../../services/dashboard/client/map/packed-path.ts';
import { COUNTRY_NAMES } from '../../../../services/query/catalogue/country-names.ts';

describe('the map of the world', () => {
  const { width, height, outlines, dots } = worldMap(`${PACKAGE_ROOT}/`);
  const codes = [...outlines, ...dots].map(([code]) => code);

  it('has every country once, as an outline or as a dot', () => {
    expect(new Set(codes).size).to.equal(codes.length);
    expect(codes.filter((code) => !(code in COUNTRY_NAMES))).to.deep.equal([]);
    // Nobody lives there, or CLDR has a second or outdated code for a place of another country.
    const without = [
      'AC',
      'AN',
      'AQ',
      'BU',
      'BV',
      'CP',
      'CQ',
      'CS',
      'DD',
      'DG',
      'DY',
      'EA',
      'FX',
      'HV',
      'IC',
    ];
    const further = ['NH', 'RH', 'SU', 'TA', 'TP', 'UK', 'UM', 'VD', 'YD', 'YU', 'ZR'];
    const missing = Object.keys(COUNTRY_NAMES).filter((code) => !codes.includes(code));
    expect(missing.filter((code) => ![...without, ...further].includes(code))).to.deep.equal([]);
  });

  it('draws outlines of large countries and dots of small ones', () => {
    const outlined = outlines.map(([code]) => code);
    expect(outlined).to.include.members(['DE', 'US', 'IN', 'BR', 'ZA', 'AU', 'XK', 'PS', 'TW', 'EH']);
    expect(dots.map(([code]) => code)).to.include.members(['SG', 'MT', 'HK', 'BH', 'GI', 'RE', 'MU']);
  });

  it('lies within its frame, at whole pixels', () => {
    for (const [code, path] of outlines) {
      expect(path, code).to.match(/^(?:M\d+ \d+l-?\d+(?:[ -]\d+)*Z)+$/);
    }
    for (const [code, x, y] of dots) {
      expect([x >= 0, x <= width, y >= 0, y <= height], code).to.deep.equal([true, true, true, true]);
    }
  });

  it('comes out of its packing as it was', () => {
    const numbers = (path: string) => path.split('M').map((ring) => ring.match(/-?\d+/g)?.map(Number));
    for (const [code, path] of outlines) {
      expect(packedPath(path), code).to.match(/^[!-~]+$/);
      expect(numbers(unpackedPath(packedPath(path))), code).to.deep.equal(numbers(path));
    }
    expect(() => packedPath('M0 0l60 0 1 1Z')).to.throw('no sign for 60 0');
  });

  it('puts places where they are', () => {
    const at = (wanted: string) => dots.find(([code]) => code === wanted) ?? ['', 0, 0];
    const [, singapore, south] = at('SG');
    const [, malta, north] = at('MT');
    expect(singapore).to.be.above(malta);
    expect(north).to.be.below(south);
  });
});
