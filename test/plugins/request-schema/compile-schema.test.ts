/** Schemas compiled: what counts as a fault of the schema and where, and that no text makes a pattern slow. */
import { expect } from 'chai';
import { compileSchema, MOST_READ, TooMuchText } from '../../../plugins/request-schema/compile-schema.ts';
import { faultDetails } from '../../../plugins/request-schema/fault-details.ts';
import { judgeBody } from '../../../plugins/request-schema/judge-body.ts';
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

describe('a JSON schema', () => {
  it('may use what draft 2020-12 has, and refer to its own parts', () => {
    const schema = compileSchema(
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $defs: { sku: { type: 'string', pattern: '^[a-z]+-\\d+$' } },
        type: 'object',
        required: ['sku'],
        properties: {
          sku: { $ref: '#/$defs/sku' },
          parent: { $ref: '#' },
          sizes: { type: 'array', prefixItems: [{ type: 'integer' }], items: false, minItems: 1 },
          at: { type: ['string', 'null'], format: 'date' },
        },
        unevaluatedProperties: false,
      },
      [],
    );
    expect(schema.first({ sku: 'ab-1', parent: { sku: 'c-2' }, sizes: [1], at: null })).to.equal(null);
    const found = schema.all({ sku: 'AB', parent: { a: 1 }, sizes: [1, 2], at: '2026-02-30' });
    expect(faultDetails(found ?? [])).to.deep.include.members([
      { field: 'sku', message: 'Allowed: a text matching ^[a-z]+-\\d+$.' },
      { field: 'parent.sku', message: 'This is missing.' },
      { field: 'parent.a', message: 'Unknown field.' },
      { field: 'at', message: 'Allowed: a text of the format date.' },
    ]);
  });

  it('may name its parts by anchors, whose form is judged like any other', () => {
    const tree = compileSchema(
      {
        $dynamicAnchor: 'node',
        type: 'object',
        properties: { child: { $dynamicRef: '#node' }, size: { $ref: '#size' } },
        $defs: { size: { $anchor: 'size', type: 'integer' } },
        additionalProperties: false,
      },
      [],
    );
    expect(tree.first({ child: { child: { size: 1 } } })).to.equal(null);
    expect(tree.all({ child: { child: { size: 'a' } } })).to.not.equal(null);
    expect(faultOf({ $dynamicAnchor: 'a b' })).to.match(/^\/\$dynamicAnchor must match pattern/);
    expect(faultOf({ $anchor: '1' })).to.match(/^\/\$anchor must match pattern/);
  });

  it('is refused at the place of its fault', () => {
    const inside = (property: object) => ({ type: 'object', properties: { a: property } });
    const faults: [object, RegExp][] = [
      [inside({ type: 'strng' }), /^\/properties\/a\/type /],
      [inside({ type: 'string', minLenght: 1 }), /^\/properties\/a\/minLenght unknown keyword: "minLenght"/],
      [inside({ type: 'string', minLength: '1' }), /^\/properties\/a\/minLength /],
      [inside({ type: 'string', format: 'colour' }), /^\/properties\/a\/format unknown format "colour"/],
      [inside({ $ref: '#/$defs/none' }), /^\/properties\/a\/\$ref "#\/\$defs\/none" leads to nothing/],
      [
        inside({ $ref: 'https://example.com/a.json' }),
        /^\/properties\/a\/\$ref "https.*" leads out of the file/,
      ],
      [inside({ $ref: 'other.json#/a' }), /^\/properties\/a\/\$ref .* leads out of the file/],
      [inside({ $ref: 'file:///etc/passwd' }), /leads out of the file/],
      [inside({ $ref: '#nowhere' }), /nowhere/],
      [inside({ type: 'string', pattern: '(' }), /^\/properties\/a\/pattern the expression/],
      [
        inside({ type: 'string', pattern: '^(a)\\1$' }),
        /^\/properties\/a\/pattern .*cannot be read in one pass/,
      ],
      [
        inside({ type: 'string', pattern: '^(?!a)' }),
        /^\/properties\/a\/pattern .*cannot be read in one pass/,
      ],
      [inside({ properties: { b: {} } }), /missing type "object" for keyword "properties"/],
      [inside({ type: 'array', uniqueItems: true }), /^\/properties\/a uniqueItems compares/],
      [{ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }, /draft 2020-12/],
      [{ type: 'object', properties: { a: 5 } }, /^\/properties\/a /],
    ];
    for (const [schema, wanted] of faults) expect(faultOf(schema), JSON.stringify(schema)).to.match(wanted);
    for (const items of [{ type: 'string' }, { type: 'integer' }])
      expect(faultOf(inside({ type: 'array', uniqueItems: true, items }))).to.equal('none');
    expect(faultOf(inside({ type: 'array', uniqueItems: true, maxItems: 100 }))).to.equal('none');
  });

  it('takes no name of a prototype for one of the body', () => {
    const schema = compileSchema(
      {
        ...{ type: 'object', required: ['toString'], additionalProperties: false },
        properties: { toString: { type: 'string' } },
      },
      [],
    );
    expect(schema.first(JSON.parse('{}'))).to.not.equal(null);
    expect(schema.first(JSON.parse('{"toString":"a"}'))).to.equal(null);
    expect(schema.first(JSON.parse('{"toString":"a","__proto__":{"b":1}}'))).to.not.equal(null);
    expect(schema.first(JSON.parse('{"toString":"a","constructor":1}'))).to.not.equal(null);
  });

  it('is no schema where its document holds itself, as by an alias of YAML', () => {
    const schema: Record<string, unknown> = { type: 'object' };
    schema.properties = { inner: schema };
    expect(faultOf(schema)).to.equal(' holds itself, by an alias');
    const start = ['components', 'schemas', 'A'];
    const elsewhere = { components: { schemas: { A: { type: 'object' } } }, 'x-more': [schema] };
    expect(() => compileSchema(elsewhere, start)).to.throw(SchemaFault, 'holds itself');
    // One part in two places is no circle.
    const part = { type: 'string' };
    expect(faultOf({ type: 'object', properties: { a: part, b: part } })).to.equal('none');
  });

  it('reads a text once, whatever the expression', () => {
    // One that backtracks would not end: each of these tries more ways than a machine has time for.
    const text = 'a'.repeat(5_000);
    for (const pattern of ['^(a+)+$', '^(a|aa)+$', '^(a|a?)+$', '(x+x+)+y', '^([a-z]+)*!$', '(.*b){20}$']) {
      const schema = compileSchema({ type: 'string', pattern }, []);
      expect(schema.first(`${text}?`), pattern).to.not.equal(null);
      expect(schema.first('x'.repeat(5_000)), pattern).to.not.equal(null);
    }
  });

  it('reads no more characters of one value than the bound, in one text or many', () => {
    const schema = compileSchema({ type: 'array', items: { type: 'string', pattern: '^[^<>]*$' } }, []);
    expect(schema.first(['a'.repeat(MOST_READ)])).to.equal(null);
    expect(schema.first(['a'.repeat(MOST_READ)]), 'each value has the whole bound').to.equal(null);
    expect(() => schema.first(['a'.repeat(MOST_READ + 1)])).to.throw(TooMuchText);
    expect(() => schema.first(Array(5).fill('a'.repeat(MOST_READ / 4)))).to.throw(TooMuchText);
    const error = judgeBody(Buffer.from(JSON.stringify(['a'.repeat(MOST_READ + 1)])), schema);
    expect(JSON.stringify(error?.details)).to.contain(`at most ${MOST_READ} characters`);
  });
});
