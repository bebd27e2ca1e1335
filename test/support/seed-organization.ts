/** Puts something into every collection for one organization: what a deletion of it must find. */
import { DECLARATIONS } from '../../services/shared/model/collections.ts';
import type { Stored } from '../../services/shared/model/stored.ts';
import type { Collection, DocumentStore } from '../../services/shared/ports/document-store.ts';
import { sampleDocument } from './sample-document.ts';

/**
 * `org_<name>` with the user `usr_<name>`, the website `web_<name>`, and of what may hang on a website one that does
 * (`…_website_<name>`) and one that is the organization's own (`…_own_<name>`).
 */
export async function seedOrganization(documents: DocumentStore, name: string): Promise<void> {
  const organizationId = `org_${name}`;
  const userId = `usr_${name}`;
  const createdBy = userId;
  await documents.organizations.insert({
    id: organizationId,
    organizationId,
    name,
    plan: 'free',
    limits: {},
  });
  await documents.users.insert({
    id: userId,
    organizationId: userId,
    email: `${name}@example.com`,
    home: '*',
    passwordHash: 'hash',
  });
  await documents.memberships.insert({ id: `mem_${name}`, organizationId, userId, role: 'owner' });
  await documents.sessions.insert({
    ...{ id: `ses_${name}`, organizationId: userId, activeOrganizationId: organizationId },
    ...SESSION,
  });
  await documents.provisionedEntries.insert({
    id: `password/${userId}`,
    organizationId: userId,
    textHash: 'hash',
  });
  await documents.provisionedEntries.insert({ id: `website/${name}`, organizationId, textHash: 'hash' });
  const website = { name, domain: `${name}.example.com`, isPublic: false, settings: {} };
  await documents.websites.insert({ id: `web_${name}`, organizationId, ...website });
  await documents.apiKeys.insert({
    ...{
      id: `key_${name}`,
      organizationId,
      name,
      keyHash: `hash of ${name}`,
      start: '',
      last4: '',
      scopes: ['read:data'],
    },
    ...{ access: { level: 'global' }, enabled: true, expiresAt: null, revokedAt: null, createdBy },
    ...{ previousKeyHash: null, previousValidUntil: null },
  });
  await documents.apiKeyUsage.insert({
    id: `key_${name}`,
    organizationId,
    lastUsedAt: '2026-01-01T00:00:00.000Z',
  });
  await documents.invitations.insert({
    ...{
      id: `inv_${name}`,
      organizationId,
      email: 'new@example.com',
      role: 'viewer',
      tokenHash: `token of ${name}`,
    },
    ...{ expiresAt: '2099-01-01T00:00:00.000Z', acceptedAt: null, createdBy },
  });
  await documents.passwordResets.insert({
    id: `mem_${name}`,
    organizationId,
    userId: createdBy,
    tokenHash: `reset of ${name}`,
    replaces: 'hash',
    expiresAt: '2099-01-01T00:00:00.000Z',
    spentAt: null,
    createdBy,
  });
  await documents.auditRecords.insert({
    ...{
      id: `aud_${name}`,
      organizationId,
      actor: { kind: 'cli', id: 'cli', userId: null },
      action: 'website.create',
    },
    ...{ targetId: `web_${name}`, fields: [], address: null, requestId: null },
  });
  for (const [place, websiteId] of [
    [`website_${name}`, `web_${name}`],
    [`own_${name}`, null],
  ] as const) {
    await documents.profiles.insert({
      id: `prf_${place}`,
      organizationId,
      websiteId,
      profileId: 'p',
      traits: {},
    });
    await documents.visitorProfiles.insert({
      id: `vis_${place}`,
      organizationId,
      websiteId,
      anonymousId: 'a',
      profileId: 'p',
    });
    await documents.links.insert({
      ...LINK,
      id: `lnk_${place}`,
      organizationId,
      websiteId,
      slug: place,
      createdBy,
    });
    const scopeId = websiteId ?? organizationId;
    await documents.flags.insert({
      ...FLAG,
      id: `flg_${place}`,
      organizationId,
      websiteId,
      scopeId,
      createdBy,
    });
  }
  const group = { name: 'Group', description: '', color: '#000000', rules: [], createdBy };
  await documents.targetGroups.insert({ id: `tgt_${name}`, organizationId, ...group });
  const integration = {
    type: 'generic',
    name: 'Other',
    enabled: true,
    config: {},
    secrets: {},
    createdBy,
  } as const;
  await documents.integrations.insert({ id: `int_${name}`, organizationId, ...integration });
  await documents.keylessUsage.insert({
    ...{ id: `kls_website_${name}`, organizationId, websiteId: `web_${name}` },
    ...{ day: '2026-01-01', bytes: 1, profiles: 1 },
  });
  await documents.shares.insert({
    ...{ id: `shr_website_${name}`, organizationId, websiteId: `web_${name}`, view: 'viw_1', createdBy },
    ...SHARE,
    tokenHash: `hash_${name}`,
  });
  await documents.addUsage([{ organizationId, month: '2026-01', requests: 1, events: 1 }]);
  await seedOthers(documents, name);
}

/** Of each further collection with an owner one document, as small as may be. */
async function seedOthers(documents: DocumentStore, name: string): Promise<void> {
  const organizationId = `org_${name}`;
  for (const [collection, { owner, schema }] of DECLARATIONS) {
    const store = documents[collection] as unknown as Collection<Stored>;
    if (owner === undefined || (await store.all(organizationId)).length > 0) continue;
    const websiteId = owner === 'website' ? { websiteId: `web_${name}` } : {};
    const fields = { id: `${collection}_website_${name}`, organizationId, ...websiteId };
    await store.insert(sampleDocument(schema, fields) as Stored);
  }
}

const SESSION = {
  ...{ refreshHash: 'hash', generation: 1, recentRotations: [], expiresAt: '2099-01-01T00:00:00.000Z' },
};

const SHARE = {
  ...{ name: 'Share', expiresAt: null, token: { keyId: 'k', sealed: '', last4: '' }, passwordHash: null },
  ...{ ticketKey: '', datasets: ['pages'], origins: [] },
};

const LINK = {
  ...{
    name: 'Link',
    targetUrl: 'https://example.com/',
    expiresAt: null,
    expiredRedirectUrl: null,
    iosUrl: null,
  },
  ...{ androidUrl: null, ogTitle: null, ogDescription: null, ogImageUrl: null, tags: [] },
};

const FLAG = {
  ...({ type: 'boolean', status: 'active', rolloutBy: 'user' } as const),
  ...{ key: 'flag', name: 'Flag', description: '', defaultValue: true, payload: null },
  ...{ rolloutPercentage: 0, rules: [], variants: [], dependencies: [], environment: null },
  targetGroupIds: [],
};
