/** Parameters of a query: which names stand in it, and what a typed text means. */
import { expect } from 'chai';
import {
  parameterNames,
  parameterValue,
  typedParameters,
} from '../../../../../../services/dashboard/client/screens/sql/query-parameters.ts';

describe('the parameters of a query', () => {
  it('are the names behind a $, each once, but not within texts, quoted names and remarks', () => {
    expect(parameterNames('SELECT $b, $a FROM events WHERE path = $b')).to.deep.equal(['b', 'a']);
    const apart = `SELECT properties->>'$.plan', 'it''s $x', "$y" -- $z\n/* $w\n$v */ , $kept_1, $1`;
    expect(parameterNames(apart)).to.deep.equal(['kept_1']);
    expect(parameterNames('SELECT 1')).to.deep.equal([]);
  });

  it('are what JSON means by them, else the text as it was typed', () => {
    const values = ['3', '-1.5', 'true', 'null', '["a","b"]', '"3"', 'DE', '', '/a b', '{"a":1}', '[1'].map(
      parameterValue,
    );
    expect(values).to.deep.equal([
      ...[3, -1.5, true, null, ['a', 'b'], '3', 'DE', '', '/a b', '{"a":1}', '[1'],
    ]);
  });

  it('come from the address as they were typed, and anything else there is nothing', () => {
    expect(typedParameters('{"a":"1","b":"x"}')).to.deep.equal({ a: '1', b: 'x' });
    for (const text of [undefined, '', '[]', '"a"', '{"a":1}', '{', 'null', '{"a":"1"}, 2 ['])
      expect(typedParameters(text)).to.deep.equal({});
  });
});
