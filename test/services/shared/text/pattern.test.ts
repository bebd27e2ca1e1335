/** Property: the engine runs every regular expression that a filter may have, and refusals say what is allowed. */
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import fc from 'fast-check';
import { faultOfPattern, PATTERN_CLASSES } from '../../../../services/shared/text/pattern.ts';

/** Parts of regular expressions, right and wrong. */
const PARTS = [
  ...[
    'a',
    'b',
    'é',
    '😀',
    '.',
    '^',
    '$',
    '-',
    ',',
    '/',
    '"',
    ' ',
    '\n',
    '|',
    '*',
    '+',
    '?',
    '{2}',
    '{2,}',
    '{0,3}',
  ],
  ...[
    '{,3}',
    '{',
    '}',
    '[',
    ']',
    '(',
    ')',
    '(?:',
    '(?i)',
    '(?i:',
    '(?s)',
    '(?U)',
    '(?-i)',
    '(?P<n>',
    '(?P<é>',
    '(?<n>',
  ],
  ...[
    '(?=a)',
    '(?#c)',
    '[a-z]',
    '[^a]',
    '[]a]',
    '[\\d-]',
    '[a-é]',
    '[[:alpha:]]',
    '[[:foo:]]',
    '\\d',
    '\\b',
    '\\A',
  ],
  ...[
    '\\z',
    '\\Z',
    '\\Q',
    '\\E',
    '\\x41',
    '\\x{1F600}',
    '\\x{110000}',
    '\\101',
    '\\0',
    '\\C',
    '\\X',
    '\\K',
    '\\',
    '\\_',
  ],
  ...[
    '\\pL',
    '\\PN',
    '\\p{Greek}',
    '\\p{^Han}',
    '\\p{L',
    '\\p{Garay}',
    '\\p{Cn}',
    '\\p{LC}',
    '\\p{Alphabetic}',
  ],
];

/** Those of the most ranges, which take the engine the most memory. */
const LARGE_CLASSES = [
  'Any',
  'L',
  'Ll',
  'Lu',
  'Lo',
  'N',
  'So',
  'Mn',
  'P',
  'S',
  'C',
  'Common',
  'Latin',
  'Arabic',
  'Han',
];

describe('regular expressions of filters', () => {
  let run: (pattern: string) => Promise<unknown>;
  let close: () => void;
  before(async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    run = (pattern) => connection.runAndReadAll("SELECT regexp_matches('ab', $p)", { p: pattern });
    close = () => connection.closeSync();
  });
  after(() => close());

  it('that are allowed run, whatever their parts', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 6 }), async (parts) => {
        const pattern = parts.join('');
        if (faultOfPattern(pattern) === null) await run(pattern);
      }),
      { numRuns: 3_000 },
    )).timeout(60_000);

  it('run with each of the classes, and with the largest ones as often as is allowed', async () => {
    for (const name of PATTERN_CLASSES) {
      const often = LARGE_CLASSES.includes(name) ? [`(?i)[^\\p{${name}}\\pM]{240}`] : [];
      for (const pattern of [`\\p{${name}}`, ...often]) {
        expect(faultOfPattern(pattern), pattern).to.equal(null);
        await run(pattern);
      }
    }
  }).timeout(120_000);

  it('are refused where the engine would refuse them, with what is allowed', () => {
    expect(faultOfPattern('\\p{Garay}')).to.match(/^\\p\{Garay\} is not allowed; allowed: Any, C, Cc, /);
    expect(faultOfPattern('x\\P{^Alphabetic}')).to.match(/^\\P\{\^Alphabetic\} is not allowed/);
    expect(faultOfPattern('(?<n>a)')).to.match(/a group is named by/);
    expect(faultOfPattern('a{251}')).to.match(/^At most 250 steps with repetitions written out, not 25\d\.$/);
    expect(faultOfPattern('(')).to.match(/^Must be a regular expression in the syntax of RE2: /);
    expect(faultOfPattern(['a'])).to.equal(
      'The operator matches takes a regular expression, which is a text.',
    );
  });
});
