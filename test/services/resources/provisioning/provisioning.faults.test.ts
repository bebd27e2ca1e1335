/** Holds every kind of mistake in PROVISION_FILE to its message, to the letter; each has a file in bad/. */

import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import {
  applyProvisioning,
  checkProvisioning,
} from '../../../../services/resources/provisioning/apply-provisioning.ts';
import { ProvisioningError } from '../../../../services/resources/provisioning/provisioning-fault.ts';
import { SHIPPED_CATALOGUE } from '../../../../services/shared/access/scope-catalogue.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const BAD = new URL('../../../../../test/services/resources/provisioning/bad/', import.meta.url);
const PLANS = ['free', 'hobby', 'pro', 'scale'];
const SCOPES =
  'read:data, track:events, read:links, write:links, manage:websites, manage:flags, manage:config';
const ACCESS =
  '{level: global} or {level: website, websiteIds: [1 to 1000 websites of the organization, each once]}';
const LIMITS =
  'per10Seconds, perMinute, perDay, perMonth, customSqlPerMinute, batchDatasetsPerMinute, batchEventsPerMinute, publicPerMinute, websites, links, goals, funnels';
const DOMAIN = 'a host such as "shop.example.com", or the address of a page on it';

/** What stands behind the file's name, by file. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  empty: [':1: came nothing; allowed: a map with the key organizations'],
  'key-access-global-with-websites': [
    ':14: organizations[0].apiKeys[0].access.websiteIds: unknown key; allowed: level',
  ],
  'key-access-without-websites': [
    `:10: organizations[0].apiKeys[0].access.websiteIds: came an empty list; allowed: ${ACCESS}`,
  ],
  'key-and-hash': [':6: organizations[0].apiKeys[0]: came key and keyHash; allowed: exactly one of them'],
  'key-bad-instants': [
    ':11: organizations[0].apiKeys[0].expiresAt: came a text of 20 characters; allowed: an ISO 8601 instant up to the year 9999 in UTC, such as "2027-01-31T00:00:00Z"',
    ':12: organizations[0].apiKeys[0].revokedAt: came a text of 25 characters; allowed: an ISO 8601 instant up to the year 9999 in UTC, such as "2027-01-31T00:00:00Z"',
  ],
  'key-hash-malformed': [
    ':10: organizations[0].apiKeys[0].keyHash: came a text of 64 characters; allowed: the SHA-256 of a key: 64 digits of 0-9a-f',
  ],
  'key-malformed': [
    ':8: organizations[0].apiKeys[0].key: came a text of 53 characters; allowed: the text of a key as "tidegate keys generate" prints it',
  ],
  'key-neither-text-nor-hash': [
    ':6: organizations[0].apiKeys[0]: came neither key nor keyHash; allowed: exactly one of them',
  ],
  'key-repeated-id': [
    ':11: organizations[0].apiKeys[1].id: is already used by organizations[0].apiKeys[0].id; allowed: one use',
  ],
  'key-repeated-scope': [':9: organizations[0].apiKeys[0].scopes[1]: came a second time; allowed: once'],
  'key-repeated-website': [
    ':14: organizations[0].apiKeys[0].access.websiteIds[1]: came a second time; allowed: once',
  ],
  'key-repeated-secret': [
    ':15: organizations[0].apiKeys[1].keyHash: is already used by organizations[0].apiKeys[0].key; allowed: one use',
  ],
  'key-unknown-access-level': [
    `:10: organizations[0].apiKeys[0].access.level: came a text of 8 characters; allowed: ${ACCESS}; did you mean "website"?`,
    ':10: organizations[0].apiKeys[0].access.websiteIds[0]: came an unknown website; allowed: none: no website yet',
  ],
  'key-unknown-scope': [
    `:9: organizations[0].apiKeys[0].scopes[1]: came a text of 8 characters; allowed: ${SCOPES}; did you mean "read:data"?`,
  ],
  'key-unknown-website': [
    ':14: organizations[0].apiKeys[0].access.websiteIds[0]: came an unknown website; allowed: websites of the organization: web_one; did you mean "web_one"?',
  ],
  'key-without-access': [`:6: organizations[0].apiKeys[0].access: is missing; allowed: ${ACCESS}`],
  'key-without-scopes': [
    `:9: organizations[0].apiKeys[0].scopes: came an empty list; allowed: a list of one or more of ${SCOPES}`,
  ],
  'organization-bad-id': [
    ':2: organizations[0].id: came "org one"; allowed: an identifier of 1 to 64 letters, digits, "_" and "-", such as "web_shop"',
  ],
  'organization-bad-limits': [
    `:6: organizations[0].limits.perMinute: came 0; allowed: whole numbers from 1 to 1000000000 under ${LIMITS}`,
    `:7: organizations[0].limits.per10Second: unknown key; allowed: ${LIMITS}; did you mean "per10Seconds"?`,
  ],
  'organization-bad-retention': [
    ':5: organizations[0].retentionDays: came 0; allowed: a whole number of days from 1 to 36500, or null for those of the plan',
  ],
  'organization-key-of-later': [
    ':5: organizations[0].integrations: unknown key; allowed: id, name, plan, limits, retentionDays, users, websites, apiKeys, links, flags',
  ],
  'organization-name-not-text': [
    ':3: organizations[0].name: came 2026; allowed: a text of 1 to 100 characters',
  ],
  'organization-repeated-id': [
    ':5: organizations[1].id: is already used by organizations[0].id; allowed: one use',
  ],
  'organization-unknown-key': [
    ':5: organizations[0].webistes: unknown key; allowed: id, name, plan, limits, retentionDays, users, websites, apiKeys, links, flags; did you mean "websites"?',
  ],
  'organization-unknown-plan': [
    ':4: organizations[0].plan: came "hoby"; allowed: free, hobby, pro, scale; did you mean "hobby"?',
  ],
  'organization-without-name': [
    ':2: organizations[0].name: is missing; allowed: a text of 1 to 100 characters',
  ],
  'organizations-not-a-list': [':1: organizations: came a map; allowed: a list of organizations'],
  'several-at-once': [
    ':4: organizations[0].plan: came "gold"; allowed: free, hobby, pro, scale',
    `:8: organizations[0].websites[0].domain: came "shop example"; allowed: ${DOMAIN}`,
    `:13: organizations[0].apiKeys[0].scopes[0]: came a text of 8 characters; allowed: ${SCOPES}; did you mean "read:data"?`,
    ':14: organizations[0].apiKeys[0].access.websiteIds[0]: came an unknown website; allowed: websites of the organization: web_one; did you mean "web_one"?',
    ':15: organizations[0].apiKeys[0].nmae: unknown key; allowed: id, name, key, keyHash, scopes, access, expiresAt, revokedAt, enabled; did you mean "name"?',
  ],
  'top-level-unknown-key': [
    ':1: organizations: is missing; allowed: a list of organizations',
    ':1: organisations: unknown key; allowed: organizations; did you mean "organizations"?',
  ],
  'user-bad-email': [
    ':6: organizations[0].users[0].email: came a text of 15 characters; allowed: an e-mail address',
  ],
  'user-hash-not-argon2id': [
    ':8: organizations[0].users[0].passwordHash: came a text of 36 characters; allowed: argon2id text of the cost m=19456,t=2,p=1, such as "$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>"',
  ],
  'user-hash-of-another-cost': [
    ':8: organizations[0].users[0].passwordHash: came a text of 97 characters; allowed: argon2id text of the cost m=19456,t=2,p=1, such as "$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>"',
  ],
  'user-password-and-hash': [
    ':6: organizations[0].users[0]: came password and passwordHash; allowed: exactly one of them',
  ],
  'user-repeated-email': [
    ':9: organizations[0].users[1].email: is already used by organizations[0].users[0].email; allowed: one use',
  ],
  'user-short-password': [
    ':7: organizations[0].users[0].password: came a text of 6 characters; allowed: a password of 8 to 256 characters',
  ],
  'user-unknown-role': [
    ':8: organizations[0].users[0].role: came a text of 5 characters; allowed: owner, admin, member, viewer; did you mean "owner"?',
  ],
  'user-with-two-passwords': [
    ':13: organizations[1].users[0]: came another password than for the same user at organizations[0].users[0]; allowed: the same',
  ],
  'user-without-password': [
    ':6: organizations[0].users[0]: came neither password nor passwordHash; allowed: exactly one of them',
  ],
  'website-bad-settings': [
    ':9: organizations[0].websites[0].settings.allowedOrigins[0]: came "https://app.example.com/"; allowed: a list of at most 100 origins with hosts of at most 253 characters, such as "https://app.example.com"; did you mean "https://app.example.com"?',
    ':9: organizations[0].websites[0].settings.timezone: came "Europe/Atlantis"; allowed: an IANA time zone, such as "Europe/Berlin"',
    ':9: organizations[0].websites[0].settings.timezome: unknown key; allowed: allowedOrigins, keylessTracking, timezone, pageviewAliases, honorPrivacySignals, keylessBytesPerDay; did you mean "timezone"?',
  ],
  'website-domain-impossible': [
    `:8: organizations[0].websites[0].domain: came "shop example"; allowed: ${DOMAIN}`,
  ],
  'website-domain-other-scheme': [
    `:8: organizations[0].websites[0].domain: came "ftp://shop.example.com"; allowed: ${DOMAIN}`,
  ],
  'website-public-not-boolean': [
    ':9: organizations[0].websites[0].isPublic: came "yes"; allowed: true or false',
  ],
  'website-repeated-domain': [
    ':11: organizations[0].websites[1].domain: is already used by organizations[0].websites[0].domain; allowed: one use',
  ],
  'website-repeated-domain-www': [
    ':11: organizations[0].websites[1].domain: is already used by organizations[0].websites[0].domain; allowed: one use',
  ],
  'website-repeated-id': [
    ':9: organizations[0].websites[1].id: is already used by organizations[0].websites[0].id; allowed: one use',
  ],
  'yaml-repeated-key': [':5: the YAML is malformed: Map keys must be unique'],
  'yaml-syntax': [':4: the YAML is malformed: Missing closing "quote'],
  'yaml-unknown-alias': [':3: the YAML is malformed: this alias ("*") names no anchor ("&")'],
  'yaml-unknown-tag': [':3: the YAML is malformed: Unresolved tag'],
};

function faultsOf(file: string, text: string): string[] {
  try {
    checkProvisioning({
      file,
      text,
      plans: PLANS,
      scopes: SHIPPED_CATALOGUE.ofKeys,
      servedSegments: ['track'],
    });
    return [];
  } catch (error) {
    if (error instanceof ProvisioningError) return error.message.split('\n');
    throw error;
  }
}

describe('faults of a provisioning file', () => {
  for (const [name, expected] of Object.entries(EXPECTED)) {
    const file = `${name}.yml`;
    it(`names ${name.replaceAll('-', ' ')}`, () => {
      const text = readFileSync(new URL(file, BAD), 'utf8');
      expect(faultsOf(file, text)).to.deep.equal(expected.map((line) => `${file}${line}`));
    });
  }

  it('name a key that is limited to more than 1000 websites, whatever else they are', () => {
    const ids = Array.from({ length: 1_001 }, (_, i) => `web_${i}`).join(', ');
    const key = `{id: k, name: K, keyHash: ${'a'.repeat(64)}, scopes: [read:data], access: {level: website, websiteIds: [${ids}]}}`;
    const text = `organizations: [{id: o, name: O, plan: free, apiKeys: [${key}]}]`;
    expect(faultsOf('many.yml', text)).to.deep.equal([
      `many.yml:1: organizations[0].apiKeys[0].access.websiteIds: came a list of 1001; allowed: ${ACCESS}`,
    ]);
  });

  it('are tested for every file in bad/', () => {
    expect(readdirSync(BAD).sort()).to.deep.equal(
      Object.keys(EXPECTED)
        .map((name) => `${name}.yml`)
        .sort(),
    );
  });

  it('never repeat a secret', () => {
    const secrets = ['hunter2-hunter2', 'tg_leaked', '*hunter2', '!hunter2'];
    for (const secret of secrets) {
      for (const field of ['password', 'passwordHash']) {
        const text = `organizations: [{id: o, name: O, plan: free, users: [{email: a, role: owner, ${field}: ${secret} }]}]`;
        const faults = faultsOf('secret.yml', text).join('\n');
        expect(faults).to.not.equal('').and.not.include(secret.replace(/^[*!]/, ''));
      }
      for (const field of ['key', 'keyHash']) {
        const text = `organizations: [{id: o, name: O, plan: free, apiKeys: [{id: k, ${field}: ${secret} }]}]`;
        const faults = faultsOf('secret.yml', text).join('\n');
        expect(faults).to.not.equal('').and.not.include(secret.replace(/^[*!]/, ''));
      }
    }
  });

  it('never repeat what stands in a wrong place of users and apiKeys, or where a map or a list should be', () => {
    const secret = 'hunter2-hunter2-secret';
    const key = `id: k, name: K, keyHash: ${'a'.repeat(64)}`;
    const places = [
      `apiKeys: [${secret}]`,
      `apiKeys: ${secret}`,
      `apiKeys: [{${secret}: k}]`,
      `apiKeys: [{${key}, scopes: [${secret}, ${secret}], access: {level: global}}]`,
      `apiKeys: [{${key}, scopes: ${secret}, access: ${secret}}]`,
      `apiKeys: [{${key}, scopes: [read:data], access: {level: ${secret}}}]`,
      `apiKeys: [{${key}, scopes: [read:data], access: {level: website, ${secret}: x, websiteIds: [${secret}]}}]`,
      `apiKeys: [{${key}, expiresAt: ${secret}, enabled: ${secret}}]`,
      `users: [${secret}]`,
      `users: ${secret}`,
      `users: [{${secret}: owner}]`,
      `users: [{email: ${secret}, role: ${secret}}]`,
      `websites: [${secret}]`,
      `websites: ${secret}`,
    ];
    for (const place of places) {
      const text = `organizations: [{id: o, name: O, plan: free, ${place}}]`;
      const faults = faultsOf('secret.yml', text).join('\n');
      expect(faults, place)
        .to.match(/^secret\.yml:1: organizations\[0\]/)
        .and.not.include('hunter2');
    }
    for (const text of [`organizations: [${secret}]`, `organizations: ${secret}`, secret]) {
      expect(faultsOf('secret.yml', text).join('\n'), text)
        .to.match(/22 characters/)
        .and.not.include('hunter2');
    }
  });

  it('find the line of a key that they do not name', () => {
    const text =
      'organizations:\n  - id: o\n    name: O\n    plan: free\n    apiKeys:\n      - id: k\n        hunter2: k';
    expect(faultsOf('secret.yml', text)).to.include(
      'secret.yml:7: organizations[0].apiKeys[0]: came a text of 7 characters as a key; allowed: id, name, key, keyHash, scopes, access, expiresAt, revokedAt, enabled',
    );
  });

  it('let nothing of the file be written', async () => {
    const documents = createMemoryDocumentStore(createTestClock());
    const empty = documents.text();
    for (const name of Object.keys(EXPECTED)) {
      const text = readFileSync(new URL(`${name}.yml`, BAD), 'utf8');
      const outcome = await applyProvisioning(
        { documents, ids: createIds() },
        { file: name, text, plans: PLANS, scopes: SHIPPED_CATALOGUE.ofKeys, servedSegments: ['track'] },
      ).catch((error: unknown) => error);
      expect(outcome, name).to.be.instanceOf(ProvisioningError);
    }
    expect(documents.text()).to.equal(empty);
  });
});
