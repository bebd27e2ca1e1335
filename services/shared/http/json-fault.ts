/**
 * Finds where a text stops being JSON, and what should stand there. The parser's own message differs by version and
 * repeats the input; this one gives line and column, and at most one character of the text.
 */
import type { ApiError } from '../errors/api-error.ts';
import { validationError } from '../errors/zod-details.ts';

/** The first character that JSON does not allow there. */
export interface JsonFault {
  /** Its index in the text; the length of the text when the text ends too early. */
  readonly at: number;
  /** What is allowed there. */
  readonly expected: string;
}

const END = 'the end';
const VALUE = 'a value';
const NAME = 'a name in double quotes';
const WHITE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const LITERALS = ['true', 'false', 'null'] as const;

/** Null for valid JSON. One pass, without recursion, so the text may be nested to any depth. */
export function findJsonFault(text: string): JsonFault | null {
  /** The open objects and lists, innermost last. */
  const open: ('{' | '[')[] = [];
  let at = 0;
  let expected: 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'comma or end' = 'value';
  for (;;) {
    at = endOf(WHITE, text, at);
    const character = text[at];
    const innermost = open.at(-1);
    if (expected === 'comma or end') {
      if (innermost === undefined) return at === text.length ? null : { at, expected: END };
      if (character === (innermost === '{' ? '}' : ']')) open.pop();
      else if (character === ',') expected = innermost === '{' ? 'name' : 'value';
      else return { at, expected: innermost === '{' ? '"," or "}"' : '"," or "]"' };
      at++;
    } else if (expected === 'colon') {
      if (character !== ':') return { at, expected: '":"' };
      expected = 'value';
      at++;
    } else if (expected === 'name' || expected === 'name or }') {
      if (character === '}' && expected === 'name or }') {
        open.pop();
        expected = 'comma or end';
        at++;
        continue;
      }
      if (character !== '"') return { at, expected: expected === 'name' ? NAME : `${NAME} or "}"` };
      const end = endOfString(text, at);
      if (typeof end !== 'number') return end;
      at = end;
      expected = 'colon';
    } else if (character === ']' && expected === 'value or ]') {
      open.pop();
      expected = 'comma or end';
      at++;
    } else if (character === '{' || character === '[') {
      open.push(character);
      expected = character === '{' ? 'name or }' : 'value or ]';
      at++;
    } else {
      const end = endOfValue(text, at, expected === 'value' ? VALUE : `${VALUE} or "]"`);
      if (typeof end !== 'number') return end;
      at = end;
      expected = 'comma or end';
    }
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** The index after the string, number or word that begins at `at`. */
function endOfValue(text: string, at: number, expected: string): number | JsonFault {
  const character = text[at];
  if (character === '"') return endOfString(text, at);
  if (character === '-' || (character !== undefined && character >= '0' && character <= '9')) {
    const end = endOf(NUMBER, text, at);
    return end > at ? end : { at: at + 1, expected: 'a digit' };
  }
  const word = LITERALS.find((literal) => text.startsWith(literal, at));
  return word === undefined ? { at, expected } : at + word.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
/** Characters in a string that need no further check. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in strings
const PLAIN = /[^"\\\u0000-\u001f]*/y;

function endOfString(text: string, from: number): number | JsonFault {
  for (let at = from + 1; at < text.length; at++) {
    at = endOf(PLAIN, text, at);
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit < SPACE) return { at, expected: 'an escape such as \\n for it' };
    if (unit !== BACKSLASH) continue;
    at++;
    const escaped = text[at] ?? '';
    if (escaped === 'u') {
      for (let digit = 1; digit <= 4; digit++) {
        if (!/[0-9a-fA-F]/.test(text[at + digit] ?? ''))
          return { at: Math.min(at + digit, text.length), expected: 'four hexadecimal digits' };
      }
      at += 4;
    } else if (escaped === '' || !'"\\/bfnrt'.includes(escaped)) {
      return { at: Math.min(at, text.length), expected: 'an escape that JSON has, such as \\n' };
    }
  }
  return { at: text.length, expected: 'the quote that ends the text' };
}

/** Line and column of an index, each from 1; a column is one character, however many code units it takes. */
export function lineAndColumn(text: string, at: number): { readonly line: number; readonly column: number } {
  let line = 1;
  let begin = 0;
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', begin)) {
    line++;
    begin = end + 1;
  }
  const halves = text.slice(begin, at).match(/[\uDC00-\uDFFF]/g)?.length ?? 0;
  return { line, column: at - begin - halves + 1 };
}

/**
 * How far into a body a fault is searched, in characters: the search costs more than the parser, which already refused
 * the body.
 */
const MAX_LOOK = 262_144;
/** The longest word of JSON, which the end of the searched part may cut. */
const LONGEST_WORD = 5;

/** The error for a body that a parser refused: where, what came there, and what should. */
export function badJson(text: string): ApiError {
  const fault = findJsonFault(text.slice(0, MAX_LOOK));
  if (fault === null || (text.length > MAX_LOOK && fault.at > MAX_LOOK - LONGEST_WORD)) {
    const part = text.length > MAX_LOOK ? ` after its first ${MAX_LOOK.toLocaleString('en')} characters` : '';
    return refused(`The body is not valid JSON${part}.`);
  }
  const { at, expected } = fault;
  const { line, column } = lineAndColumn(text, at);
  return refused(
    `The body is not valid JSON: line ${line}, column ${column}: came ${came(text, at)}; allowed: ${expected}.`,
  );
}

/** At most one printable ASCII character: bodies hold secrets, and answers travel further than bodies do. */
function came(text: string, at: number): string {
  const character = text[at];
  if (character === undefined) return 'the end';
  if (character >= ' ' && character <= '~') return character === '"' ? 'a quote' : `"${character}"`;
  return character < ' ' ? 'a control character' : 'another character than ASCII';
}

function refused(message: string): ApiError {
  return validationError([{ field: 'body', message }]);
}
