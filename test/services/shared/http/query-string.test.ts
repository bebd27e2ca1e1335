/** The one reader of query strings: it drops nothing, whatever stands there and however much of it. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  firstValue,
  parseQuery,
  pathOf,
  queryOf,
  writeQuery,
} from '../../../../services/shared/http/query-string.ts';

describe('query strings', () => {
  it('are what stands behind the first question mark', () => {
    expect([pathOf('/a?b=?c'), queryOf('/a?b=?c')]).to.deep.equal(['/a', { ...parseQuery('b=%3Fc') }]);
    expect({ ...queryOf('/a?b=?c') }).to.deep.equal({ b: '?c' });
    expect([pathOf('/a'), { ...queryOf('/a') }]).to.deep.equal(['/a', {}]);
  });

  it('keep a parameter behind any number of others', () => {
    for (const many of [999, 1_000, 1_001, 4_000]) {
      expect(queryOf(`/v1/query?${'a&'.repeat(many)}link_id=x`).link_id, `${many}`).to.equal('x');
    }
  });

  it('give a name that came twice as a list, with the first of it at hand', () => {
    expect(parseQuery('a=1&a=2&b=3')).to.deep.include({ a: ['1', '2'], b: '3' });
    expect(firstValue(parseQuery('a=1&a=2'), 'a')).to.equal('1');
    expect(firstValue(parseQuery('b=1'), 'a')).to.equal(undefined);
  });

  it('know no name that nobody sent', () => {
    expect(parseQuery('a=1').constructor).to.equal(undefined);
    expect(Object.keys(parseQuery('__proto__=1&constructor=2'))).to.have.members([
      '__proto__',
      'constructor',
    ]);
  });

  it('come back as they were written', () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1 });
    const parameters = fc.dictionary(names, fc.string({ unit: 'grapheme' }), { noNullPrototype: true });
    fc.assert(
      fc.property(parameters, (written) => {
        expect({ ...parseQuery(writeQuery(written)) }).to.deep.equal(written);
      }),
    );
  });
});
