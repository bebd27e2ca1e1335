/** What a schema may cost: schemas whose branches multiply are refused at their place, and those that nest once are not. */
import { expect } from 'chai';
import { compileSchema } from '../../../plugins/request-schema/compile-schema.ts';
import { pointerOf, SchemaFault } from '../../../plugins/request-schema/schema-fault.ts';

function faultOf(schema: object): string {
  try {
    compileSchema(schema, []);
  } catch (fault) {
    if (!(fault instanceof SchemaFault)) throw fault;
    return `${pointerOf(fault.steps)} ${fault.message}`;
  }
  return 'none';
}

const self = { $ref: '#' };
const list = { type: 'array', items: self };
const branch = (op: string, more: object = {}) => ({
  ...{ type: 'object', required: ['op'], properties: { op: { const: op }, ...more } },
});
/** Of pairs, since a literal with `then` looks like a promise. */
const conditional = (...pairs: [string, object][]): object => Object.fromEntries(pairs);
const bounded: object[] = [
  { type: 'object', properties: { left: self, right: self, more: list }, additionalProperties: self },
  { type: 'object', properties: { args: list }, oneOf: [branch('and'), branch('or'), branch('not')] },
  { oneOf: [{ type: 'object', additionalProperties: self }, list, { type: 'string' }] },
  conditional(
    ['if', branch('and')],
    ['then', branch('and', { args: list })],
    ['else', branch('not', { arg: self })],
  ),
  { anyOf: Array.from({ length: 100 }, (_, index) => ({ const: index })) },
];
const multiplied: object[] = [
  { oneOf: [branch('and', { args: list }), branch('or', { args: list })] },
  { anyOf: [branch('a', { args: list }), branch('b', { other: self })] },
  { allOf: [branch('a', { args: list }), branch('a', { args: list })] },
  conditional(['if', branch('a', { args: list })], ['then', branch('a', { args: list })]),
  { type: 'object', properties: { args: list }, not: branch('a', { args: list }) },
  { type: 'object', properties: { args: list }, dependentSchemas: { op: branch('a', { args: list }) } },
  { type: 'object', properties: { args: list }, unevaluatedProperties: self },
  { type: 'object', patternProperties: { '^a': self, b$: self } },
  { type: 'array', items: self, contains: self },
  {
    $dynamicAnchor: 'node',
    anyOf: [
      { type: 'array', items: { $dynamicRef: '#node' } },
      { type: 'array', items: self },
    ],
  },
];

describe('the cost of a schema', () => {
  it('is bounded where each value comes back to the schema once', () => {
    for (const schema of bounded) expect(faultOf(schema), JSON.stringify(schema)).to.equal('none');
    const [, filter] = bounded.map((schema) => compileSchema(schema, []));
    expect(filter?.first({ op: 'and', args: [{ op: 'not', args: [] }] })).to.equal(null);
    expect(filter?.first({ op: 'and', args: [{ op: 'nor' }] })).to.not.equal(null);
  });

  it('is refused where several branches come back with the same values', () => {
    for (const schema of multiplied) {
      expect(faultOf(schema), JSON.stringify(schema)).to.match(
        /comes back to itself by more than one branch/,
      );
    }
    const inside = { type: 'object', $defs: { a: multiplied[0] }, properties: { b: { $ref: '#/$defs/a' } } };
    const text = JSON.stringify(inside).replaceAll('"#"', '"#/$defs/a"');
    expect(faultOf(JSON.parse(text))).to.match(/^\/\$defs\/a comes back/);
  });

  it('is refused where branches within branches multiply without an end to be seen', () => {
    const chain = (length: number) => {
      const $defs: Record<string, object> = { [`n${length}`]: { type: 'string' } };
      for (let index = 0; index < length; index++) {
        const next = { $ref: `#/$defs/n${index + 1}` };
        $defs[`n${index}`] = { anyOf: [next, next, next] };
      }
      return { $defs, $ref: '#/$defs/n0' };
    };
    expect(faultOf(chain(6))).to.equal('none');
    expect(faultOf(chain(7))).to.match(/^\/\$defs\/n0 may judge one value more than 1000 times/);
  });

  it('is refused where a reference goes round in one value, or an identifier changes what references mean', () => {
    expect(faultOf({ allOf: [self] })).to.match(/refers to itself without a step/);
    expect(faultOf({ $defs: { a: { $id: 'http://a.test/', type: 'string' } }, $ref: '#/$defs/a' })).to.match(
      /^\/\$defs\/a\/\$id /,
    );
  });
});
