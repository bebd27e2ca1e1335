/** Starts the whole embedded server on a temporary folder, with a provisioned organization, and closes it again. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { loadSettings } from '../../config/settings.ts';
import { startEmbedded } from '../../gateway/embedded.ts';
import { createApiKeyText } from '../../services/shared/credentials/api-key-text.ts';
import { type Clock, systemClock } from '../../services/shared/ports/clock.ts';
import { createLogWatch } from './log-watch.ts';

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
  readonly twoSites: string;
  /** read:data, website-specific: many websites, so that its identity token is large. */
  readonly manySites: string;
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

/** An answer, read whole. */
export interface Answer {
  readonly status: number;
  readonly reason: string;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly body: any;
}

export interface TestServer {
  readonly origin: string;
  readonly keys: TestKeys;
  readonly dataDir: string;
  /** A request; each call comes from an address of its own unless `address` is given, so that public limits do not mix. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly key?: string;
  readonly headers?: Record<string, string>;
  /** Sent as JSON, or as it is when text. */
  readonly body?: unknown;
  readonly address?: string;
}

export interface StartOptions {
  readonly clock?: Clock;
  readonly dataDir?: string;
  readonly configDir?: string;
  /** Further settings, by their names in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Where log lines go; when absent, to a watch that fails `close` if one holds a secret. */
  readonly logger?: Logger;
}

const KEYS: TestKeys = {
  all: newKeyText(),
  readOnly: newKeyText(),
  trackOnly: newKeyText(),
  linksOnly: newKeyText(),
  shopOnly: newKeyText(),
  twoSites: newKeyText(),
  manySites: newKeyText(),
  expired: newKeyText(),
  revoked: newKeyText(),
  disabled: newKeyText(),
  free: newKeyText(),
  freeReadOnly: newKeyText(),
  unknown: newKeyText(),
};

const MANY_SITES = Array.from({ length: 400 }, (_, index) => `web_with-a-rather-long-identifier-${index}`);

const ALL_SCOPES =
  '[read:data, track:events, read:links, write:links, manage:websites, manage:flags, manage:config]';

/** Limits that tests of other matters never reach. */
const RAISED = '{ per10Seconds: 1000000, perMinute: 1000000 }';

const PROVISIONING = `
organizations:
  - id: org_main
    name: Main
    plan: free
    limits: ${RAISED}
    users:
      - { email: owner@example.com, password: correct horse, role: owner }
    websites:
      - { id: web_shop, name: Shop, domain: shop.example.com }
      - { id: web_blog, name: Blog, domain: blog.example.com }
    apiKeys:
      - { id: key_all, name: all, key: ${KEYS.all}, scopes: ${ALL_SCOPES}, access: { level: global } }
      - { id: key_read, name: read, key: ${KEYS.readOnly}, scopes: [read:data], access: { level: global } }
      - { id: key_track, name: track, key: ${KEYS.trackOnly}, scopes: [track:events], access: { level: global } }
      - { id: key_links, name: links, key: ${KEYS.linksOnly}, scopes: [read:links], access: { level: global } }
      - { id: key_shop, name: shop, key: ${KEYS.shopOnly}, scopes: ${ALL_SCOPES}, access: { level: website, websiteIds: [web_shop] } }
      - { id: key_two, name: two, key: ${KEYS.twoSites}, scopes: [read:data], access: { level: website, websiteIds: [web_shop, web_blog] } }
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
  - id: org_many
    name: Many
    plan: free
    limits: ${RAISED}
    websites:
${MANY_SITES.map((id) => `      - { id: ${id}, name: many, domain: ${id.replace('_', '-')}.example.com }`).join('\n')}
    apiKeys:
      - { id: key_many, name: many, key: ${KEYS.manySites}, scopes: [read:data], access: { level: website, websiteIds: [${MANY_SITES.join(', ')}] } }
`;

let addresses = 0;

/** A client address that no call used before. */
export function newAddress(): string {
  addresses++;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** Starts it; `dataDir` of an earlier one continues with its data. */
export async function startTidegate(options: StartOptions = {}): Promise<TestServer> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'tidegate-test-'));
  const provisionFile = join(dataDir, 'provision.yml');
  writeFileSync(provisionFile, PROVISIONING);
  const settings = loadSettings({
    PORT: '0',
    DATA_DIR: dataDir,
    PROVISION_FILE: provisionFile,
    TRUSTED_PROXIES: '127.0.0.1',
    ...(options.configDir === undefined ? {} : { CONFIG_DIR: options.configDir }),
    ...options.settings,
  });
  const watch = createLogWatch();
  const server = await startEmbedded(settings, options.logger ?? watch.logger, options.clock ?? systemClock);
  return {
    origin: server.origin,
    keys: KEYS,
    dataDir,
    call: (method, path, call = {}) => callAt(server.origin, method, path, call),
    async close() {
      await server.close();
      watch.assertClean();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function callAt(origin: string, method: string, path: string, options: CallOptions): Promise<Answer> {
  const { key, body } = options;
  const headers: Record<string, string> = { 'x-forwarded-for': options.address ?? newAddress() };
  if (key !== undefined) headers['x-api-key'] = key;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: { ...headers, ...options.headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return readAnswer(response);
}

/** A response of `fetch`, read whole; its body must be JSON, a picture or a script (left as text), or empty. */
export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  return {
    status: response.status,
    reason: response.statusText,
    headers: response.headers,
    body: text === '' ? null : isText(response) ? text : JSON.parse(text),
  };
}

function isText(response: Response): boolean {
  return /^(?:image|text)\//.test(response.headers.get('content-type') ?? '');
}
