/** The pass over JSON before it is parsed: what would stop a parser is refused, everything that anybody sends passes. */
import { expect } from 'chai';
import fc from 'fast-check';
import {
  MAX_DEPTH,
  MAX_MARKS,
  MAX_NAMES,
  MAX_NAMES_IN_OBJECT,
  scanJson,
} from '../../../../services/shared/http/json-bounds.ts';

const scan = (text: string) => scanJson(Buffer.from(text));
const refusalOf = (text: string) => scan(text).refusal?.details[0]?.message ?? null;
const names = (count: number) => Array.from({ length: count }, (_, index) => `"${index * 10_007}":0`).join();

describe('the bounds of JSON', () => {
  it('take what is nested as deep as allowed, in lists and objects, and refuse what is deeper', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
      [' [\n{"]":[', ']}] '],
    ] as const) {
      const levels = (open.match(/[[{](?!")|[{]/g) ?? []).length;
      const deep = (times: number) => `${open.repeat(times)}0${close.repeat(times)}`;
      const fitting = Math.floor(MAX_DEPTH / levels);
      expect(refusalOf(deep(fitting)), open).to.equal(null);
      expect(refusalOf(deep(fitting + 1)), open).to.include(`${MAX_DEPTH} deep`);
    }
    expect(refusalOf('['.repeat(MAX_DEPTH + 1)), 'never closed').to.include('deep');
    expect(refusalOf('[]'.repeat(50_000)), 'side by side').to.equal(null);
  });

  it('take strings for what they are: brackets, escaped quotes and backslashes in them open nothing', () => {
    const brackets = '['.repeat(500);
    for (const inside of [brackets, `\\"${brackets}`, `\\\\\\"${brackets}`, `é\\u005b${brackets}"`]) {
      expect(refusalOf(`{"a":"${inside.replace(/"$/, '')}"}`), inside.slice(0, 8)).to.equal(null);
    }
    expect(refusalOf(`["\\\\",${brackets}`), 'behind an escaped backslash').to.include('deep');
    expect(refusalOf(`["\\\\\\",${brackets}`), 'a string without end').to.equal(null);
  });

  it('refuse more elements or names than any call has, in all or in one object', () => {
    expect(refusalOf(`[${'1,'.repeat(MAX_MARKS - 1)}1]`)).to.equal(null);
    for (const many of [
      `[${'1,'.repeat(MAX_MARKS)}1]`,
      `[${'{},'.repeat(MAX_MARKS / 2)}{}]`,
      `[${`{${names(100)}},`.repeat(MAX_NAMES / 100 + 1)}0]`,
      `{${names(MAX_NAMES_IN_OBJECT + 1)}}`,
      `[[{"a":{"b":1},${names(MAX_NAMES_IN_OBJECT)}}]]`,
    ]) {
      expect(refusalOf(many), many.slice(0, 20)).to.include('holds more');
    }
    expect(refusalOf(`[{${names(MAX_NAMES_IN_OBJECT)}},{${names(MAX_NAMES_IN_OBJECT)}}]`)).to.equal(null);
  });

  it('have room for 100 events of 50 properties and for a query of all that one may name', () => {
    const properties = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, [1, { a: n }]]));
    const fields = Object.fromEntries(Array.from({ length: 45 }, (_, n) => [`field${n}`, n]));
    expect(refusalOf(JSON.stringify(Array(100).fill({ ...fields, properties })))).to.equal(null);
    const filter = { field: 'path', op: 'in', value: Array(1_000).fill('/a') };
    expect(refusalOf(JSON.stringify(Array(5).fill({ filters: Array(20).fill(filter) })))).to.equal(null);
  });

  it('let every JSON text within them pass, and count the elements of a list as the parser does', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        const value: unknown = JSON.parse(text);
        const { refusal, elements } = scan(text);
        return refusal === null && elements === (Array.isArray(value) ? value.length : 0);
      }),
    );
    for (const [text, elements] of [
      ['[]', 0],
      [' [ ] ', 0],
      ['[ 1 ]', 1],
      ['[[],{}]', 2],
      ['["a,b","]"]', 2],
      ['{"a":[1,2]}', 0],
      ['\ufeff[1,2]', 2],
    ] as const) {
      expect(scan(text).elements, text).to.equal(elements);
    }
  });

  it('never fail on what is no JSON', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => scanJson(bytes).elements >= 0));
    for (const text of ['', ']]]]', '}'.repeat(70), `${':'.repeat(70)}`, '"', '"\\', '[1,2'])
      expect(refusalOf(text), text).to.equal(null);
  });
});
