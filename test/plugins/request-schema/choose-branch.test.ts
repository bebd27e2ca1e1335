/** A discriminator chooses one branch: recursive documents are taken, and each value is judged as the branches together would. */
import { expect } from 'chai';
import fc from 'fast-check';
import { chooseBranches } from '../../../plugins/request-schema/choose-branch.ts';
import { compileSchema } from '../../../plugins/request-schema/compile-schema.ts';
import { faultDetails } from '../../../plugins/request-schema/fault-details.ts';

const PET = { $ref: '#/components/schemas/Pet' };
const BRANCHES = [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }];
const animal = (kind: object, further: object) => ({
  type: 'object',
  required: ['kind'],
  properties: { kind, ...further },
});
const START = ['components', 'schemas', 'Pet'];

/** `pet`: how the branches are joined. */
function documentOf(
  pet: object,
  dog: object = { allOf: [animal({ enum: ['dog', 'wolf'] }, { pups: { type: 'array', items: PET } })] },
) {
  return {
    openapi: '3.1.0',
    components: {
      schemas: {
        Pet: pet,
        Cat: animal(
          { type: 'string', const: 'cat' },
          { kittens: { type: 'array', items: PET }, lives: { type: 'integer' } },
        ),
        Dog: dog,
      },
    },
  };
}

const BY_KIND = {
  oneOf: BRANCHES,
  discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
};
const ONE_OF = { oneOf: BRANCHES };

describe('a discriminator', () => {
  it('makes a recursive document one whose cost is bounded', () => {
    const multiplied = /comes back to itself by more than one branch/;
    expect(() => compileSchema(documentOf(ONE_OF), START)).to.throw(multiplied);
    const schema = compileSchema(documentOf(BY_KIND), START);
    let deep: object = { kind: 'cat' };
    for (let level = 0; level < 30; level++)
      deep = level % 2 === 0 ? { kind: 'wolf', pups: [deep] } : { kind: 'cat', kittens: [deep] };
    expect(schema.first(deep)).to.equal(null);
    expect(schema.first({ kind: 'dog', pups: [{ kind: 'cat', kittens: [{ kind: 'wolf' }] }] })).to.equal(
      null,
    );
    const one = { kind: 'dog', pups: [{ kind: 'cat', lives: 'nine' }] };
    expect(faultDetails(schema.all(one) ?? [])).to.deep.include({
      field: 'pups[0].lives',
      message: 'Allowed: a whole number.',
    });
    expect(schema.first({ kind: 'cow' })).to.not.equal(null);
    expect(schema.first({})).to.not.equal(null);
    expect(schema.first('cat')).to.not.equal(null);
  });

  it('judges as the branches together do', () => {
    // Without recursion, so that the document without a discriminator is taken too.
    const flat = (joined: object) =>
      JSON.parse(JSON.stringify(documentOf(joined)).replaceAll(JSON.stringify(PET), '{"type":"null"}'));
    for (const keyword of ['oneOf', 'anyOf']) {
      const [plain, chosen] = [
        { [keyword]: BRANCHES },
        { [keyword]: BRANCHES, discriminator: BY_KIND.discriminator },
      ].map((joined) => compileSchema(flat(joined), START));
      const kind = fc.constantFrom<unknown>('cat', 'dog', 'wolf', 'cow', 1, null);
      const list = fc.constantFrom<unknown>([], [null], [1], 'none');
      const record = fc.record(
        { kind, kittens: list, pups: list, lives: fc.constantFrom<unknown>(9, 'nine') },
        { requiredKeys: [] },
      );
      fc.assert(
        fc.property(fc.oneof(record, fc.constantFrom<unknown>('cat', null, [], 3)), (value) => {
          expect(chosen?.first(value) === null).to.equal(plain?.first(value) === null);
        }),
        { numRuns: 500 },
      );
    }
  });

  it('counts for nothing where it does not tell the branches apart', () => {
    const dogs: [what: string, dog: object][] = [
      ['the same text', animal({ const: 'cat' }, {})],
      ['any text', animal({ type: 'string' }, {})],
      ['no text', animal({ enum: [1, 2] }, {})],
      ['a property that may be missing', { type: 'object', properties: { kind: { const: 'dog' } } }],
      ['no object', { required: ['kind'], properties: { kind: { const: 'dog' } } }],
    ];
    for (const [what, dog] of dogs) {
      const document = documentOf(BY_KIND, dog);
      expect(chooseBranches(document), what).to.deep.equal(document);
    }
    const inline = documentOf({ ...BY_KIND, oneOf: [BRANCHES[0], animal({ const: 'dog' }, {})] });
    expect(chooseBranches(inline)).to.deep.equal(inline);
    const value = documentOf({ enum: [BY_KIND] });
    expect(chooseBranches(value)).to.deep.equal(value);
    const { schemas } = documentOf(BY_KIND, animal({ const: 'dog' }, {})).components;
    const first = {
      ...schemas,
      Cat: animal({ const: 'cat' }, {}),
      Only: { $ref: '#/components/schemas/Pet/oneOf/0' },
    };
    const only = compileSchema({ openapi: '3.1.0', components: { schemas: first } }, [
      ...START.slice(0, 2),
      'Only',
    ]);
    expect([only.first({ kind: 'cat' }), only.first({ kind: 'dog' }) === null]).to.deep.equal([null, false]);
  });
});
