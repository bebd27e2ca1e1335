/** The version of the list of collections: it rises with every change of the list and of the documents' fields. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { z } from 'zod';
import { COLLECTIONS_VERSION, DECLARATIONS } from '../../../../services/shared/model/collections.ts';
import type { CollectionDeclaration } from '../../../../services/shared/model/define-collection.ts';
import { linkSchema } from '../../../../services/shared/model/link.ts';

/** The version whose collections the digests below describe. */
const VERSION = 22;
/** What each collection stores: see {@link digestOf}. */
const DIGESTS: Readonly<Record<string, string>> = {
  organizations: '95d18cfd1e75',
  users: '4c7cdbe0205d',
  websites: '93463e32a9e9',
  apiKeys: 'a32fb14ab010',
  memberships: 'f395dec742fe',
  invitations: '2ebd8d7f44b8',
  passwordResets: 'dc6b2a47475f',
  links: 'a28b9ed5dc6f',
  flags: 'bc8c5ae801c4',
  goals: '8ccd325cc9a7',
  funnels: '8f2740b6f6b1',
  targetGroups: '0bb37cdf2a93',
  integrations: '497973e17c1a',
  views: '7ce8268c4698',
  shares: 'ceeb3730349b',
  annotations: '3838acca6982',
  apiKeyUsage: '1f64c6d4271f',
  visitorProfiles: 'b7acc14742a4',
  profiles: '6d0bdffcec03',
  organizationUsage: 'c0fa0f3184a7',
  keylessUsage: 'd1c2199cb1c5',
  activity: '495238640d2c',
  provisionedEntries: 'fa26b764843f',
  auditRecords: 'ac29f0187366',
  visitorSalts: '297da14b93bb',
  configurations: '19da3dfb5b3d',
  configurationPins: '9a017cfa81b1',
  gatewaySnapshots: '975f0b12a193',
  cleanups: 'cc12e7244823',
  sessions: '86877ae33178',
};

interface JsonSchema {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

/** The fields of a document with their types: how they are described and how long they may be is left out. */
function shapeOf(schema: JsonSchema | boolean | undefined): unknown {
  if (typeof schema !== 'object') return schema;
  const { type, const: only, enum: values, required = [], properties = {}, items, anyOf, oneOf } = schema;
  const fields = Object.entries(properties).map(
    ([name, field]) => [name, required.includes(name), shapeOf(field)] as const,
  );
  return {
    type,
    values: only === undefined ? values : [only],
    fields: fields.sort(([one], [other]) => (one < other ? -1 : 1)),
    others: shapeOf(schema.additionalProperties),
    items: shapeOf(items),
    either: (anyOf ?? oneOf)?.map(shapeOf),
  };
}

/** Identifies what a store keeps of a collection: its name, its indexes and the fields of its documents. */
function digestOf({ name, schema, unique = {}, indexes = {}, lists = [] }: CollectionDeclaration): string {
  const shape = shapeOf(z.toJSONSchema(schema, { unrepresentable: 'any', reused: 'inline' }) as JsonSchema);
  const byName = (fields: Readonly<Record<string, readonly string[]>>) => Object.entries(fields).sort();
  const text = JSON.stringify([name, byName(unique), byName(indexes), [...lists].sort(), shape]);
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

describe('the version of the list of collections', () => {
  const declared = Object.fromEntries(
    DECLARATIONS.map(([name, declaration]) => [name, digestOf(declaration)] as const),
  );

  it('is raised by whoever changes a collection, an index or a field', () => {
    const names = [...new Set([...Object.keys(declared), ...Object.keys(DIGESTS)])];
    const changed = names.filter((name) => declared[name] !== DIGESTS[name]);
    if (COLLECTIONS_VERSION === VERSION) {
      expect(changed, `changed: raise COLLECTIONS_VERSION to ${VERSION + 1}`).to.deep.equal([]);
    }
    const digests = changed.map((name) => `${name}: '${declared[name]}'`).join(', ');
    expect(VERSION, `put into this file: VERSION = ${COLLECTIONS_VERSION}; ${digests}`).to.equal(
      COLLECTIONS_VERSION,
    );
    expect(changed, `put into this file: ${digests}`).to.deep.equal([]);
  });

  it('is asked for by a new field, a lost one, another type, and an index', () => {
    const links = { name: 'links', schema: linkSchema, lists: [['slug']] } as const;
    const variants: CollectionDeclaration[] = [
      links,
      { ...links, schema: linkSchema.extend({ note: z.string().optional() }) },
      { ...links, schema: linkSchema.extend({ note: z.string() }) },
      { ...links, schema: linkSchema.extend({ note: z.enum(['a']) }) },
      { ...links, schema: linkSchema.extend({ note: z.enum(['a', 'b']) }) },
      { ...links, schema: linkSchema.extend({ note: z.array(z.object({ a: z.string() })) }) },
      { ...links, schema: linkSchema.extend({ note: z.array(z.object({ b: z.string() })) }) },
      { ...links, schema: linkSchema.omit({ name: true }) as typeof links.schema },
      { ...links, lists: [['slug'], ['name']] },
      { ...links, indexes: { slug: ['slug'] } },
      { ...links, unique: { slug: ['slug'] } },
      { ...links, unique: { slug: ['name'] } },
      { ...links, name: 'short_links' },
    ];
    expect(new Set(variants.map(digestOf)).size).to.equal(variants.length);
    expect(digestOf({ ...links, told: { kind: 'link', names: ['id'] }, counted: 'link' })).to.equal(
      digestOf(links),
    );
    expect(digestOf({ ...links, schema: linkSchema.extend({}) })).to.equal(digestOf(links));
  });
});
