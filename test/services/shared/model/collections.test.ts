/** The list of collections: no two share a name, a prefix or a word on the bus, and what it declares is what others work by. */
import { expect } from 'chai';
import type { z } from 'zod';
import {
  organizationContents,
  organizationContentsSchema,
} from '../../../../services/resources/organizations/organization-contents.ts';
import { DECLARATIONS } from '../../../../services/shared/model/collections.ts';
import { defineCollection } from '../../../../services/shared/model/define-collection.ts';
import { targetGroupSchema } from '../../../../services/shared/model/flag.ts';
import { linkSchema } from '../../../../services/shared/model/link.ts';
import { invalidationSchema } from '../../../../services/shared/ports/bus.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { sampleDocument } from '../../../support/sample-document.ts';
import { seedOrganization } from '../../../support/seed-organization.ts';
import { createTestClock } from '../../../support/test-clock.ts';

describe('the list of collections', () => {
  it('gives each a name, a prefix of identifiers and a kind on the bus of its own', () => {
    const declared = DECLARATIONS.map(([, declaration]) => declaration);
    for (const values of [
      declared.map(({ name }) => name),
      declared.flatMap(({ idPrefix }) => idPrefix ?? []),
      declared.flatMap(({ told }) => told?.kind ?? []),
    ]) {
      expect(values).to.have.length.greaterThan(5);
      expect(new Set(values).size, values.join(', ')).to.equal(values.length);
    }
  });

  it('takes from the bus what each declares to be told, and nothing short of it', () => {
    for (const [name, { told }] of DECLARATIONS) {
      if (told === undefined) continue;
      const word = { kind: told.kind, ...Object.fromEntries(told.names.map((field) => [field, 'x'])) };
      expect(invalidationSchema.parse(word), name).to.deep.equal(word);
      const { [told.names[0] ?? '']: _first, ...short } = word as Record<string, string>;
      expect(invalidationSchema.safeParse(short).success, name).to.equal(false);
    }
    expect(invalidationSchema.safeParse({ kind: 'nobody', id: 'x' }).success).to.equal(false);
    expect(invalidationSchema.safeParse({ kind: 'link', organizationId: 'o', id: null, slug: null }).success)
      .to.be.false;
  });

  it('counts for the deletion of an organization each thing that it says is counted', async () => {
    const documents = createMemoryDocumentStore(createTestClock());
    await seedOrganization(documents, 'one');
    const contents = await organizationContents(documents, 'org_one');
    expect(Object.keys(contents)).to.deep.equal(Object.keys(organizationContentsSchema.shape));
    expect(Object.keys(contents)).to.include.members(['websites', 'members', 'users', 'integrations']);
    for (const [field, count] of Object.entries(contents)) {
      if (field !== 'id' && field !== 'name') expect(count, field).to.be.greaterThan(0);
    }
  });

  it('lets a collection name only fields of its documents, and a website as owner only where they name one', () => {
    // @ts-expect-error: links have no such field.
    defineCollection(linkSchema, { name: 'x', unique: { slug: ['slugg'] } });
    // @ts-expect-error: nor may a list be sorted by it.
    defineCollection(linkSchema, { name: 'x', lists: [['created']] });
    // @ts-expect-error: target groups name no website.
    defineCollection(targetGroupSchema, { name: 'x', owner: 'website' });
    expect(defineCollection(linkSchema, { name: 'x', owner: 'website' }).schema).to.equal(linkSchema);
  });

  it('has of everything with an owner a document that tests can make up', () => {
    for (const [, { owner, schema }] of DECLARATIONS) {
      if (owner === undefined) continue;
      const made = sampleDocument(schema as z.ZodType, { id: 'x_1', organizationId: 'org_1' });
      expect(made).to.include({ id: 'x_1', organizationId: 'org_1' });
    }
  });
});
