/** The overlap logic held against a naive matcher, and against the router that the dispatch table is made of. */
import { expect } from 'chai';
import fc from 'fast-check';
import findMyWay from 'find-my-way';
import {
  comparePrecedence,
  covers,
  matches,
  overlaps,
  parsePath,
} from '../../../gateway/configuration/path-patterns.ts';

const segment = fc.constantFrom('a', 'b', ':id');
const pattern = fc
  .tuple(fc.array(segment, { maxLength: 3 }), fc.boolean())
  .map(([segments, open]) => `/${[...segments.map(unlike), ...(open ? ['*'] : [])].join('/')}`);

/** Parameters of one path have names of their own, by their place. */
function unlike(text: string, index: number): string {
  return text === ':id' ? `:id${index}` : text;
}

/** Every path of up to four segments over three texts (one of them empty), so that every case of a pattern occurs. */
const PATHS = everyPath(4).map((parts) => `/${parts.join('/')}`);

function everyPath(depth: number): string[][] {
  if (depth === 0) return [];
  const shorter = everyPath(depth - 1);
  const bases = shorter.length === 0 ? [[]] : [[], ...shorter];
  return bases.flatMap((base) => ['a', 'b', 'c', ''].map((text) => [...base, text]));
}

/** A pattern as a regular expression: the definition that the logic is held against. */
function naive(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part))
    .join('/');
  return new RegExp(`^${source}$`);
}

describe('path patterns', () => {
  it('match what their definition as a regular expression matches', () => {
    fc.assert(
      fc.property(pattern, fc.constantFrom(...PATHS), (one, path) => {
        expect(matches(parsePath(one), path)).to.equal(naive(one).test(path));
      }),
    );
  });

  it('overlap exactly when some path belongs to both', () => {
    fc.assert(
      fc.property(pattern, pattern, (one, other) => {
        const shared = PATHS.some((path) => naive(one).test(path) && naive(other).test(path));
        expect(overlaps(parsePath(one), parsePath(other)), `${one} ${other}`).to.equal(shared);
      }),
      { numRuns: 300 },
    );
  });

  it('cover another exactly when every path of it is theirs', () => {
    fc.assert(
      fc.property(pattern, pattern, (one, other) => {
        const all = PATHS.filter((path) => naive(other).test(path)).every((path) => naive(one).test(path));
        expect(covers(parsePath(one), parsePath(other)), `${one} ${other}`).to.equal(all);
      }),
      { numRuns: 300 },
    );
  });

  it('overlap and cover without regard to case, as express matches, and match with regard to it', () => {
    expect(overlaps(parsePath('/Track'), parsePath('/track'))).to.equal(true);
    expect(covers(parsePath('/A/*'), parsePath('/a/b'))).to.equal(true);
    expect(matches(parsePath('/track'), '/Track')).to.equal(false);
  });

  it('are preferred as the dispatch table prefers them: exact paths first, then the choice of find-my-way', () => {
    const filled = PATHS.filter((path) => !/\/(\/|$)/.test(path));
    const sets = fc.uniqueArray(pattern, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sets, fc.constantFrom(...filled), (paths, path) => {
        const tree = findMyWay({ caseSensitive: true });
        for (const one of paths) if (/[:*]/.test(one)) tree.on('GET', one, () => undefined, one);
        const chosen = paths.includes(path) ? path : (tree.find('GET', path)?.store ?? null);
        const [preferred] = paths
          .map(parsePath)
          .filter((one) => matches(one, path))
          .sort(comparePrecedence);
        expect(preferred?.path ?? null, `${paths.join(' ')} for ${path}`).to.equal(chosen);
      }),
      { numRuns: 500 },
    );
  });
});
