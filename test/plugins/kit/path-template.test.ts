/** Templates of paths: which are taken, and that a group stays what it was. */
import { expect } from 'chai';
import { compileTemplate, isSound, templateFault } from '../../../plugins/kit/path-template.ts';

describe('path templates', () => {
  it('are paths, with groups that the expression has', () => {
    for (const text of ['/', '/a/$1', '/a?b=$2', '/$1-$2?x=$1&y=z', '/a//b', '/a%20b'])
      expect(templateFault(text, 2), text).to.equal(null);
    const bad = [
      '',
      'a',
      '//a',
      '//$1',
      '/a/../b',
      '/./a',
      '/a/%2e%2e',
      '/a%2fb',
      '/a\\b',
      '/a?b?c',
      '/a#b',
      '/$',
    ];
    for (const text of [
      ...bad,
      '/$0',
      '/a b',
      '/ü',
      '/a\r\nb',
      'https://a.example/',
      `/${'a'.repeat(1_000)}`,
    ])
      expect(templateFault(text, 2), text).to.be.a('string');
    expect(templateFault('/$3', 2)).to.equal('names $3, but the expression has 2 groups');
    expect(templateFault('/a?$1=b', 2)).to.equal('names a parameter by what a client sent');
  });

  it('write a group into a path as it came, and into a query string as one value', () => {
    const { path, query } = compileTemplate('/b/$1?x=$2&y=1');
    expect(path(['a&b', 'c'])).to.equal('/b/a&b');
    expect(query(['a', 'c&admin=1#;+=?'], '')).to.equal('?x=c%26admin%3D1%23%3B%2B%3D%3F&y=1');
    expect(query(['a', '$1$&'], '')).to.equal('?x=$1$%26&y=1');
  });

  it('keep what the client asked, but for the parameters that they name', () => {
    const { query } = compileTemplate('/b?x=$1');
    expect(query(['a'], '?z=1&x=evil&%78=evil&x&y')).to.equal('?x=a&z=1&y');
    expect(compileTemplate('/b').query([], '?z=1&x=2')).to.equal('?z=1&x=2');
    expect(query(['a'], '?')).to.equal('?x=a');
  });

  it('let no other spelling of a parameter that they name pass', () => {
    const { query } = compileTemplate('/b?shop_id=$1');
    for (const spelling of [
      'shop_id',
      'Shop_ID',
      '%73hop_id',
      '%53HOP%5Fid',
      'shop.id',
      'shop+id',
      '+shop_id',
      'shop_id[]',
      'shop_id%5B0%5D',
      'shop_id%00x',
    ])
      for (const sent of [`${spelling}=evil`, `a=1;${spelling}=evil`, spelling])
        expect(query(['a'], `?${sent}&z=1`), sent).to.equal('?shop_id=a&z=1');
    expect(query(['a'], '?shop=1&id=2&shop_id2=3')).to.equal('?shop_id=a&shop=1&id=2&shop_id2=3');
  });

  it('know a path that readers take for different ones', () => {
    for (const path of ['/', '/a', '/a//b', '/..a/b..', '/a%20b']) expect(isSound(path), path).to.equal(true);
    for (const path of ['', 'a', '//a', '/..', '/a/./b', '/a/%2E%2e/b', '/a%2Fb', '/a%5cb', '/a\\b', '/%61'])
      expect(isSound(path), path).to.equal(false);
  });
});
