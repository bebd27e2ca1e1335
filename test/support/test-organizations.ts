/** The organizations that a server of a test is provisioned with, and the texts of their keys. */
import { randomBytes } from 'node:crypto';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';

/** A key text that is well-formed. */
export function newKeyText(): string {
  return createApiKeyText('tg', randomBytes);
}

/** Keys of the provisioned organizations, by what they may do. */
export interface TestKeys {
  /** Every scope, global, in `org_main` (limits raised). */
  readonly all: string;
  readonly readOnly: string;
  readonly trackOnly: string;
  readonly linksOnly: string;
  /** Every scope, website-specific: web_shop only. */
  readonly shopOnly: string;
  /** read:data, website-specific: web_shop and web_blog. */
  readonly twoWebsites: string;
  readonly expired: string;
  readonly revoked: string;
  readonly disabled: string;
  /** Every scope, in `org_free` with the limits of plan free. */
  readonly free: string;
  /** Only read:data, in `org_free`. */
  readonly freeReadOnly: string;
  /** Well-formed, known to nobody. */
  readonly unknown: string;
}

/** The same for all servers of a test run. */
export const KEYS: TestKeys = {
  all: newKeyText(),
  readOnly: newKeyText(),
  trackOnly: newKeyText(),
  linksOnly: newKeyText(),
  shopOnly: newKeyText(),
  twoWebsites: newKeyText(),
  expired: newKeyText(),
  revoked: newKeyText(),
  disabled: newKeyText(),
  free: newKeyText(),
  freeReadOnly: newKeyText(),
  unknown: newKeyText(),
};

const ALL_SCOPES =
  '[read:data, track:events, read:links, write:links, manage:websites, manage:flags, manage:config]';

/** Limits that tests of other matters never reach. */
const RAISED = '{ per10Seconds: 1000000, perMinute: 1000000 }';

/** Of `correct horse`: to make it anew takes each start a while. */
export const OWNER_PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$9PB/U21vdXgwkMe41z/x9w$maiIEiV0DgZbPc285S6R8Xbd1ZlKRdxc8ycCC5shsmc';

/** The provisioning file. */
export const PROVISIONING = `
organizations:
  - id: org_main
    name: Main
    plan: free
    limits: ${RAISED}
    users:
      - { email: owner@example.com, passwordHash: "${OWNER_PASSWORD_HASH}", role: owner, operator: true }
    websites:
      - { id: web_shop, name: Shop, domain: shop.example.com }
      - { id: web_blog, name: Blog, domain: blog.example.com }
    apiKeys:
      - { id: key_all, name: all, key: ${KEYS.all}, scopes: ${ALL_SCOPES}, access: { level: global } }
      - { id: key_read, name: read, key: ${KEYS.readOnly}, scopes: [read:data], access: { level: global } }
      - { id: key_track, name: track, key: ${KEYS.trackOnly}, scopes: [track:events], access: { level: global } }
      - { id: key_links, name: links, key: ${KEYS.linksOnly}, scopes: [read:links], access: { level: global } }
      - { id: key_shop, name: shop, key: ${KEYS.shopOnly}, scopes: ${ALL_SCOPES}, access: { level: website, websiteIds: [web_shop] } }
      - { id: key_two, name: two, key: ${KEYS.twoWebsites}, scopes: [read:data], access: { level: website, websiteIds: [web_shop, web_blog] } }
      - { id: key_expired, name: expired, key: ${KEYS.expired}, scopes: ${ALL_SCOPES}, access: { level: global }, expiresAt: 2020-01-01T00:00:00.000Z }
      - { id: key_revoked, name: revoked, key: ${KEYS.revoked}, scopes: ${ALL_SCOPES}, access: { level: global }, revokedAt: 2020-01-01T00:00:00.000Z }
      - { id: key_disabled, name: disabled, key: ${KEYS.disabled}, scopes: ${ALL_SCOPES}, access: { level: global }, enabled: false }
  - id: org_free
    name: Free
    plan: free
    websites:
      - { id: web_free, name: Free, domain: free.example.com }
    apiKeys:
      - { id: key_free, name: free, key: ${KEYS.free}, scopes: ${ALL_SCOPES}, access: { level: global } }
      - { id: key_free_read, name: free read, key: ${KEYS.freeReadOnly}, scopes: [read:data], access: { level: global } }
`;
