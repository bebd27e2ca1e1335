/** Expressions over paths: which are taken, that they mean what they mean elsewhere, and that no path makes one slow. */
import { expect } from 'chai';
import fc from 'fast-check';
import { compilePathExpression, pathExpressionFault } from '../../../plugins/kit/path-expression.ts';
import { startCpuTime } from '../../support/cpu-time.ts';

const GOOD = [
  ...['/shop', '^/shop$', '/shop/([^/]+)/items/(\\d+)', '/old/(.*)', '/(en|de|fr)/(.*)', '/v(\\d{1,2})/x'],
  ...[
    '/a-b_c\\.json',
    '/[a-z0-9_-]+/(?:items|orders)/[0-9a-f]{8}',
    '/colou?r',
    '/x(?:|/y)',
    '/[^/.]*\\.(\\w+)',
  ],
];

/** What makes an engine try again and again. */
const EVIL = [
  ...['(a+)+', '(a*)*', '(?:a|a)+', '(a|aa)+$', '([a-z]+)*', '(.*a){20}', '(x+x+)+y', '(\\d+)?', '((a)b)'],
  ...[
    '.*.*',
    '/.*/x',
    '/(.*)/(.*)',
    'a?a?a?aaa',
    '\\w+\\d+',
    '[^/]+/?[^/]*',
    'a*a*',
    '\\d+1',
    '(a|b+)',
    '/.+/?',
  ],
  ...['(?=a)', '(?!a)', '(?<=a)', '(?<n>a)', '(a)\\1', '\\bx', '\\s', '\\p{L}', 'a|b', '[a&&b', '[]', '[^]'],
  ...[
    '(',
    ')',
    '*a',
    'a**',
    'a+?',
    'a{1,2}{3}',
    '{2}',
    'a]',
    '/ü',
    '/a b',
    '[z-a]',
    '[\\b]',
    '\\',
    '(a',
    'a^b',
  ],
  ...['a{5,3}', '(a{5,3})', '/x(a{2,1})y', 'b+(a{0}b|c)', 'a{0}', 'a{00}', 'a{0,3}', 'a{0,}'],
  ...['(a|b)'.repeat(7), 'x'.repeat(501), '(a)'.repeat(10)],
];

describe('path expressions', () => {
  it('are the regular expressions that read every path in one way', () => {
    for (const source of GOOD) expect(pathExpressionFault(source), source).to.equal(null);
  });

  it('refuse every other, with a reason', () => {
    for (const source of EVIL) {
      expect(pathExpressionFault(source), source).to.match(/^(?:is|has|holds|repeats|may) \S/);
      expect(() => compilePathExpression(source), source).to.throw();
    }
  });

  it('match whole paths and give their groups', () => {
    const { match, groups } = compilePathExpression('/shop/([^/]+)/items/(\\d+)');
    expect(groups).to.equal(2);
    expect(match('/shop/a/items/12')).to.deep.equal(['a', '12']);
    for (const path of ['/x/shop/a/items/12', '/shop/a/items/12/', '/shop/a/items/', '/shop//items/1', ''])
      expect(match(path), path).to.equal(null);
    expect(compilePathExpression('/x(?:|/y)').match('/x/y')).to.deep.equal([]);
  });

  it('mean what the engine means, for whatever expression is taken', () => {
    const atom = fc.tuple(
      fc.constantFrom('a', 'b', '/', '.', '\\d', '\\.', '[^/]', '[a-b]', '[^a]'),
      fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}'),
    );
    const piece = fc.oneof(
      { weight: 4, arbitrary: atom.map((parts) => parts.join('')) },
      { weight: 1, arbitrary: atom.map((parts) => `(${parts.join('')})`) },
      { weight: 1, arbitrary: fc.constantFrom('(a|b)', '(?:a/|b)', '(?:|/a)') },
    );
    const source = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    const path = fc.string({ unit: fc.constantFrom('a', 'b', '/', '.', '1'), maxLength: 12 });
    let taken = 0;
    fc.assert(
      fc.property(source, fc.array(path, { minLength: 5, maxLength: 5 }), (text, paths) => {
        if (pathExpressionFault(text) !== null) return;
        taken++;
        const { match } = compilePathExpression(text);
        const wanted = new RegExp(`^(?:${text})$`);
        for (const one of paths) {
          const found = wanted.exec(one)?.slice(1) ?? null;
          expect(match(one), `${text} on ${one}`).to.deep.equal(found?.map((group) => group ?? '') ?? null);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(taken).to.be.above(100);
  });

  it('are decided at once for the longest paths that are made to be slow', () => {
    const rest = ['a', '/', '1', 'a/', '/a', '1a', '%2', '.', 'items/', '/items/1'];
    const cpuMs = startCpuTime();
    for (const source of GOOD) {
      const { match } = compilePathExpression(source);
      for (const unit of rest)
        for (const end of ['', '!', '/', '\n'])
          match(`/shop/${unit.repeat(Math.ceil(8_192 / unit.length))}${end}`);
    }
    expect(cpuMs()).to.be.below(5_000);
  });
});
