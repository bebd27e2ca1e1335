/** Judges regular expressions before they run: whatever is allowed here, the engine of events can run. */
import { RE2JS } from 're2js';
import { tooLong } from './faulty-text.ts';

/** How many characters a regular expression may have. */
const MAX_PATTERN = 200;

/**
 * How many steps it may have when its repetitions are written out: the engine makes up to a thousand instructions of one
 * step that stands for a class of letters, and refuses programs of some 350,000 while it runs.
 */
const MAX_PATTERN_STEPS = 250;

/** General categories and scripts that may stand in \p{…}: RE2JS knows more than the engine. */
export const PATTERN_CLASSES: readonly string[] = [
  ...['Any', 'C', 'Cc', 'Cf', 'Co', 'Cs', 'L', 'Ll', 'Lm', 'Lo', 'Lt', 'Lu', 'M', 'Mc', 'Me', 'Mn'],
  ...['N', 'Nd', 'Nl', 'No', 'P', 'Pc', 'Pd', 'Pe', 'Pf', 'Pi', 'Po', 'Ps', 'S', 'Sc', 'Sk', 'Sm', 'So'],
  ...['Z', 'Zl', 'Zp', 'Zs', 'Arabic', 'Armenian', 'Bengali', 'Bopomofo', 'Common', 'Cyrillic'],
  ...['Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati', 'Gurmukhi', 'Han', 'Hangul', 'Hebrew'],
  ...['Hiragana', 'Inherited', 'Kannada', 'Katakana', 'Khmer', 'Lao', 'Latin', 'Malayalam', 'Mongolian'],
  ...['Myanmar', 'Oriya', 'Sinhala', 'Tamil', 'Telugu', 'Thaana', 'Thai', 'Tibetan'],
];

const CLASS = /\\[pP]\{\^?([^}]*)/g;

/** What is wrong with a regular expression, or null. */
export function faultOfPattern(value: unknown): string | null {
  if (typeof value !== 'string') return 'The operator matches takes a regular expression, which is a text.';
  if (value.length > MAX_PATTERN) return tooLong('characters', MAX_PATTERN, value.length);
  // RE2JS has these groups, the engine does not.
  if (value.includes('(?<'))
    return 'Must be a regular expression without (?<; a group is named by (?P<name>…).';
  const unknown = [...value.matchAll(CLASS)].find(([, name = '']) => !PATTERN_CLASSES.includes(name));
  if (unknown) return `${unknown[0]}} is not allowed; allowed: ${PATTERN_CLASSES.join(', ')}.`;
  try {
    const steps = RE2JS.compile(value).programSize();
    const isSmall = steps <= MAX_PATTERN_STEPS;
    return isSmall ? null : tooLong('steps with repetitions written out', MAX_PATTERN_STEPS, steps);
  } catch (error) {
    return `Must be a regular expression in the syntax of RE2: ${error instanceof Error ? error.message : 'it is not.'}`;
  }
}
