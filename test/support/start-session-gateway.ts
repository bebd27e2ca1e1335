/** Starts the gateway with users of every role, a clock that stands still and passwords that are counted, and plays browsers. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { loadConfiguration } from '../../gateway/configuration/load-configuration.ts';
import { configurationVariables } from '../../gateway/process/reload/configuration-variables.ts';
import { loadSecrets } from '../../gateway/process/secrets/secrets.ts';
import { createGateway, type Gateway } from '../../gateway/serve/create-gateway.ts';
import { originOf } from '../../gateway/serve/http/listen.ts';
import { createIdentitySigner } from '../../gateway/serve/identity.ts';
import { createApiKey } from '../../services/resources/api-keys/create-api-key.ts';
import type { OwnDomains } from '../../services/shared/access/origin-rule.ts';
import { SHIPPED_CATALOGUE } from '../../services/shared/access/scope-catalogue.ts';
import { SCOPES } from '../../services/shared/access/scopes.ts';
import type { PasswordHasher } from '../../services/shared/credentials/password-hasher.ts';
import { IDENTITY_HEADER } from '../../services/shared/identity/identity-token.ts';
import { PrometheusMetrics } from '../../services/shared/metrics/prometheus-metrics.ts';
import { ROLES } from '../../services/shared/model/user.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { MemoryBus } from '../../services/shared/storage/memory/memory-bus.ts';
import { MemoryCounterStore } from '../../services/shared/storage/memory/memory-counter-store.ts';
import { publishWrites } from '../../services/shared/storage/publish-writes.ts';
import { createSqliteDocumentStore } from '../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { createLogWatch } from './log-watch.ts';
import { startUpstream } from './start-gateway.ts';
import { type Answer, newAddress } from './start-tidegate.ts';
import { createTestClock, type TestClock } from './test-clock.ts';

/** Where the pages of a started gateway stand, unless a test says otherwise. */
export const OWN_ORIGIN = 'https://app.example.com';
export const PASSWORD = 'correct horse';
/** How each signed token begins, which is `{"alg":"`: shorter, random identifiers would hold it now and then. */
export const TOKEN_START = 'eyJhbGciOi';

export interface SessionCall {
  /** Null sends no Origin; default {@link OWN_ORIGIN}. */
  readonly origin?: string | null;
  readonly key?: string;
  /** Sent as they are, after the others. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: unknown;
  /** Of the body; JSON when absent. */
  readonly type?: string;
  readonly cookies?: Readonly<Record<string, string>>;
}

export interface SessionGateway {
  readonly origin: string;
  /** Its store as another process writes it, of which this gateway learns nothing. */
  readonly documents: DocumentStore;
  /** The same store as this process writes it. */
  readonly own: DocumentStore;
  readonly clock: TestClock;
  readonly log: readonly string[];
  /** Signs the cookies of its sessions. */
  readonly cookieKey: Uint8Array;
  /** A key of org_a with every scope. */
  readonly key: string;
  /** How often a password was verified. */
  verified(): number;
  /** In which lines those waited. */
  readonly passwordLines: readonly string[];
  /** Has `act` done during each verification of a password, after what is verified was read. */
  atVerification(act: () => Promise<void>): void;
  call(method: string, path: string, call?: SessionCall): Promise<Answer>;
  /** Starts another gateway over the same store, which neither tells this one of changes nor is told; it ends with this one. */
  startAnother(): Promise<Pick<SessionGateway, 'call'>>;
  /** Cookies of a fresh session. */
  login(email: string): Promise<Record<string, string>>;
  close(): Promise<void>;
}

/**
 * Users `owner@example.com`, …, one per role in org_a; the owner is a viewer of org_b too, since later. `passwords` stands in
 * place of those that are counted; the users' hash is `hash of` their password. `configDir`: in place of the shipped one.
 */
export async function startSessionGateway(
  ownDomains: OwnDomains = { serviceDomain: 'example.com', originPorts: [8443] },
  passwords?: PasswordHasher,
  configDir = join(PACKAGE_ROOT, 'config'),
): Promise<SessionGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-session-'));
  const clock = createTestClock();
  const documents = createSqliteDocumentStore({ path: join(folder, 'documents.sqlite'), clock });
  const ids = createIds();
  const key = await seed(documents, clock);
  const upstream = await startUpstream((req, res) => {
    const token = req.headers[IDENTITY_HEADER];
    const caller = typeof token === 'string' ? decodeJwt(token).caller : null;
    const body = JSON.stringify({ caller, cookie: req.headers.cookie ?? null });
    res.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' }).end(body);
  });
  const configuration = await loadConfiguration(
    configDir,
    configurationVariables({ query: upstream.origin, tracking: upstream.origin, resources: upstream.origin }),
  );
  const secrets = await loadSecrets(join(folder, 'secrets.json'));
  const cookieKey = Buffer.from(secrets.cookieKey, 'base64url');
  const watch = createLogWatch([key]);
  const verified: string[] = [];
  let atVerification = async (): Promise<void> => {};
  const counted: PasswordHasher = {
    place: (line) => ({
      take() {},
      giveBack() {},
      hash: async (password) => `hash of ${password}`,
      async verify(passwordHash, password) {
        verified.push(line);
        await atVerification();
        return passwordHash === `hash of ${password}`;
      },
      async verifyEach(passwordHashes, password) {
        verified.push(...passwordHashes.map(() => line));
        await atVerification();
        return passwordHashes.map((passwordHash) => passwordHash === `hash of ${password}`);
      },
    }),
  };
  const gateways: Gateway[] = [];
  async function start(
    bus: MemoryBus,
    store: DocumentStore,
  ): Promise<Pick<SessionGateway, 'origin' | 'call'>> {
    const gateway = await createGateway({
      configuration,
      documents: store,
      bus,
      counters: new MemoryCounterStore(clock),
      metrics: new PrometheusMetrics(),
      identity: await createIdentitySigner(secrets.identityKeys, clock),
      ids,
      randomBytes,
      passwords: passwords ?? counted,
      ownDomains,
      cookieKey,
      clock,
      logger: watch.logger,
      openApiText: () => '{}',
      trustedProxies: ['127.0.0.1'],
    });
    gateways.push(gateway);
    const at = originOf(await gateway.listen(0, '127.0.0.1'));
    return { origin: at, call: (method, path, options = {}) => send(at, method, path, options) };
  }
  const bus = new MemoryBus();
  const own = publishWrites(documents, bus);
  const { origin, call } = await start(bus, own);
  return {
    origin,
    documents,
    own,
    clock,
    log: watch.lines,
    cookieKey,
    key,
    verified: () => verified.length,
    passwordLines: verified,
    atVerification(act) {
      atVerification = act;
    },
    call,
    async startAnother() {
      const otherBus = new MemoryBus();
      return start(otherBus, publishWrites(documents, otherBus));
    },
    async login(email) {
      const answer = await call('POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
      return cookiesOf(answer);
    },
    async close() {
      for (const gateway of gateways) await gateway.close(1_000);
      await upstream.close();
      await documents.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
      watch.assertClean();
    },
  };
}

async function seed(documents: DocumentStore, clock: TestClock): Promise<string> {
  const ids = createIds();
  const limits = { per10Seconds: 1_000_000, perMinute: 1_000_000 };
  for (const id of ['org_a', 'org_b']) {
    await documents.organizations.insert({
      id,
      organizationId: id,
      name: `Name of ${id}`,
      plan: 'free',
      limits,
    });
  }
  for (const role of ROLES) {
    const id = `usr_${role}`;
    const email = `${role}@example.com`;
    await documents.users.insert({
      id,
      organizationId: id,
      email,
      home: '*',
      passwordHash: `hash of ${PASSWORD}`,
    });
    await documents.memberships.insert({ id: `mem_z${role}`, organizationId: 'org_a', userId: id, role });
  }
  clock.advance(1_000);
  const later = { id: 'mem_a', organizationId: 'org_b', userId: 'usr_owner', role: 'viewer' } as const;
  await documents.memberships.insert(later);
  const { secret } = await createApiKey(
    { documents, ids, clock, randomBytes, scopes: () => SHIPPED_CATALOGUE },
    { organizationId: 'org_a', createdBy: 'test', prefix: 'tg' },
    { name: 'all', scopes: [...SCOPES], access: { level: 'global' } },
  );
  return secret;
}

/** The cookies that an answer sets, by name. */
export function cookiesOf(answer: Answer): Record<string, string> {
  const lines = answer.headers.getSetCookie();
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      return [name, value];
    }),
  );
}

/** Sends raw headers, so that one may stand twice. */
function send(at: string, method: string, path: string, options: SessionCall): Promise<Answer> {
  const { origin = OWN_ORIGIN, key, body, cookies, headers = [], type = 'application/json' } = options;
  const { host } = new URL(at);
  const raw: string[] = ['Host', host, 'X-Forwarded-For', newAddress(), 'Connection', 'close'];
  if (origin !== null) raw.push('Origin', origin);
  if (key !== undefined) raw.push('x-api-key', key);
  if (cookies)
    raw.push(
      'Cookie',
      Object.entries(cookies)
        .map(([name, value]) => `${name}=${value}`)
        .join('; '),
    );
  const text = body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body);
  if (text !== null) {
    raw.push('Content-Type', type, 'Content-Length', `${Buffer.byteLength(text)}`);
  } else if (method === 'POST') raw.push('Content-Length', '0');
  for (const [name, value] of headers) raw.push(name, value);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${at}${path}`,
      { method, headers: raw as unknown as Record<string, string> },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk) => chunks.push(chunk));
        res.on('error', reject);
        res.on('end', () => {
          const received = new Headers();
          for (let index = 0; index < res.rawHeaders.length; index += 2) {
            received.append(res.rawHeaders[index] ?? '', res.rawHeaders[index + 1] ?? '');
          }
          const answer = Buffer.concat(chunks).toString('utf8');
          resolve({
            status: res.statusCode ?? 0,
            reason: res.statusMessage ?? '',
            headers: received,
            body: answer === '' ? null : JSON.parse(answer),
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(text ?? undefined);
  });
}
