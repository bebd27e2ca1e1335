/** Holds GET /v1/websites and GET /v1/websites/:id to contract.md section 7, at the service itself. */

import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { createDescribeShare } from '../../../../services/query/shares/describe-share.ts';
import { createResourcesService } from '../../../../services/resources/create-resources-service.ts';
import { websiteRoutes } from '../../../../services/resources/websites/routes.ts';
import type { Caller } from '../../../../services/shared/access/caller.ts';
import { PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import { SHIPPED_CATALOGUE } from '../../../../services/shared/access/scope-catalogue.ts';
import { createPasswordHasher } from '../../../../services/shared/credentials/password-hasher.ts';
import { createVerifyIdentity } from '../../../../services/shared/identity/verify-identity.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import { MemoryBus } from '../../../../services/shared/storage/memory/memory-bus.ts';
import { createLogWatch } from '../../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { NO_PROFILE_EVENTS } from '../../../support/no-profile-events.ts';
import { TEST_PLANS } from '../../../support/policy-kit.ts';
import { shippedGrant } from '../../../support/shipped-grants.ts';
import { createTestCleanups } from '../../../support/start-cleanups.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { createTestSealer } from '../../../support/test-sealer.ts';

interface Answer {
  status: number;
  headers: Headers;
  body: { success: boolean; code?: string; data?: unknown; nextCursor?: string; details?: unknown };
}

const OWNER: Caller = {
  ...PUBLIC_CALLER,
  id: 'key_global',
  kind: 'key',
  organizationId: 'org_one',
  plan: 'free',
  scopes: ['read:data'],
  access: { level: 'global' },
};

describe('websites of the resources service', () => {
  const clock = createTestClock('2026-03-01T12:00:00.000Z');
  const log = createLogWatch();
  let server: Server;
  let ask: (path: string, caller: Caller | null, method?: string) => Promise<Answer>;

  before(async () => {
    const documents = createMemoryDocumentStore(clock);
    for (let i = 1; i <= 105; i++) {
      const id = `web_${String(i).padStart(3, '0')}`;
      const named = {
        id,
        organizationId: 'org_one',
        name: `Website ${i}`,
        domain: `website${i}.example.com`,
      };
      await documents.websites.insert({ ...named, isPublic: i === 1, settings: {} });
    }
    const foreign = {
      id: 'web_foreign',
      organizationId: 'org_two',
      name: 'Foreign',
      domain: 'foreign.example.com',
    };
    await documents.websites.insert({ ...foreign, isPublic: false, settings: {} });

    const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
    const jwks = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'EdDSA' }] };
    const app = createResourcesService(
      {
        ...{ documents, ids: createIds(), clock, randomBytes, keyPrefix: 'tg', servedSegments: () => [] },
        bus: new MemoryBus(),
        plans: () => TEST_PLANS,
        scopes: () => SHIPPED_CATALOGUE,
        sealer: createTestSealer(),
        allowsLocalHttp: false,
        cleanups: createTestCleanups(documents, clock).cleanups,
        profileEvents: NO_PROFILE_EVENTS,
        judgeViewState: async () => [],
        judgeShare: () => [],
        describeShare: createDescribeShare(clock),
        sharePage: () => Buffer.from('a page'),
        passwords: createPasswordHasher(),
      },
      {
        verifyIdentity: createVerifyIdentity(jwks, 'resources', clock),
        logger: log.logger,
        metrics: new PrometheusMetrics(),
      },
    );
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

    ask = async (path, caller, method = 'GET') => {
      const seconds = Math.floor(clock.now() / 1000);
      const token =
        caller &&
        (await new SignJWT({ caller, grant: shippedGrant('resources', method, path) })
          .setProtectedHeader({ alg: 'EdDSA', kid: 'one' })
          .setIssuer('tidegate-gateway')
          .setAudience('resources')
          .setIssuedAt(seconds)
          .setExpirationTime(seconds + 60)
          .sign(privateKey));
      const headers: Record<string, string> = token ? { 'x-gateway-identity': token } : {};
      const answer = await fetch(`${base}${path}`, { method, headers });
      return {
        status: answer.status,
        headers: answer.headers,
        body: (await answer.json()) as Answer['body'],
      };
    };
  });

  after(async () => {
    await new Promise((resolve) => server.close(resolve));
    log.assertClean();
  });

  function idsOf(answer: Answer): string[] {
    return (answer.body.data as { id: string }[]).map((website) => website.id);
  }
  const restrictedTo = (...websiteIds: string[]): Caller => ({
    ...OWNER,
    access: { level: 'website', websiteIds },
  });

  it('lists every website of the organization, and none of another, to a key with global access', async () => {
    const first = await ask('/v1/websites?limit=100', OWNER);
    expect(first.status).to.equal(200);
    expect(first.body.success).to.equal(true);
    const second = await ask(`/v1/websites?limit=100&cursor=${first.body.nextCursor}`, OWNER);
    const ids = [...idsOf(first), ...idsOf(second)];
    expect(ids).to.have.length(105);
    expect(ids).to.deep.equal([...ids].sort());
    expect(ids).to.not.include('web_foreign');
    expect(second.body).to.not.have.property('nextCursor');
  });

  it('shows each website in the shape that its schema states, nothing of the store', async () => {
    const { body } = await ask('/v1/websites?limit=1', OWNER);
    expect(body.data).to.deep.equal([
      {
        id: 'web_001',
        name: 'Website 1',
        domain: 'website1.example.com',
        isPublic: true,
        settings: {},
        createdAt: '2026-03-01T12:00:00.000Z',
        updatedAt: '2026-03-01T12:00:00.000Z',
      },
    ]);
  });

  it('answers 50 when no limit is given, and no nextCursor behind a page that ends exactly at the end', async () => {
    expect(idsOf(await ask('/v1/websites', OWNER))).to.have.length(50);
    const caller = restrictedTo('web_003', 'web_001', 'web_002', 'web_gone');
    const page = await ask('/v1/websites?limit=3', caller);
    expect(idsOf(page)).to.deep.equal(['web_001', 'web_002', 'web_003']);
    expect(page.body).to.not.have.property('nextCursor');
  });

  it('pages through the websites of a website-specific key without overlap or gap', async () => {
    const caller = restrictedTo('web_003', 'web_001', 'web_002');
    const first = await ask('/v1/websites?limit=2', caller);
    const second = await ask(`/v1/websites?limit=2&cursor=${first.body.nextCursor}`, caller);
    expect([idsOf(first), idsOf(second)]).to.deep.equal([['web_001', 'web_002'], ['web_003']]);
  });

  it('lists nothing to a website-specific key whose websites are gone', async () => {
    expect((await ask('/v1/websites', restrictedTo('web_gone'))).body).to.deep.equal({
      success: true,
      data: [],
    });
  });

  it('refuses a limit, a cursor or a parameter that it does not know with VALIDATION_ERROR, all at once', async () => {
    for (const limit of ['0', '101', 'x', '-1', '1.5', '']) {
      const answer = await ask(`/v1/websites?limit=${limit}`, OWNER);
      expect([answer.status, answer.body.code], limit).to.deep.equal([400, 'VALIDATION_ERROR']);
    }
    const answer = await ask('/v1/websites?limit=0&nonsense=1', OWNER);
    expect(answer.body.details).to.deep.equal([
      { field: 'limit', message: 'At least 1.' },
      { field: 'nonsense', message: 'Unknown field.' },
    ]);
    const cursor = await ask('/v1/websites?cursor=%2F', OWNER);
    expect(cursor.status).to.equal(400);
    expect(cursor.body.details).to.deep.equal([
      { field: 'cursor', message: 'Not a cursor of this list in this order.' },
    ]);
  });

  it('answers one website with its version as ETag', async () => {
    const answer = await ask('/v1/websites/web_002', restrictedTo('web_002'));
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('etag')).to.equal('"1"');
    expect(answer.body.data).to.include({ id: 'web_002', name: 'Website 2', domain: 'website2.example.com' });
  });

  it('answers ACCESS_DENIED alike for a website that is unknown, foreign or not listed in the key', async () => {
    const answers = [
      await ask('/v1/websites/web_none', OWNER),
      await ask('/v1/websites/web_foreign', OWNER),
      await ask('/v1/websites/web_001', restrictedTo('web_002')),
      await ask('/v1/websites/web_foreign', restrictedTo('web_foreign')),
    ];
    for (const { status, body } of answers) {
      expect([status, body.code]).to.deep.equal([403, 'ACCESS_DENIED']);
    }
  });

  for (const route of websiteRoutes.filter(({ method }) => method === 'GET')) {
    const path = route.path.replace(':id', 'web_001');
    it(`refuses ${route.method} ${route.path} without the gateway's identity with AUTH_REQUIRED`, async () => {
      const answer = await ask(path, null);
      expect([answer.status, answer.body.code]).to.deep.equal([401, 'AUTH_REQUIRED']);
    });
    it(`refuses ${route.method} ${route.path} to nobody in particular with AUTH_REQUIRED`, async () => {
      const answer = await ask(path, PUBLIC_CALLER);
      expect([answer.status, answer.body.code]).to.deep.equal([401, 'AUTH_REQUIRED']);
    });
    it(`refuses ${route.method} ${route.path} without its scope with INSUFFICIENT_SCOPE`, async () => {
      const answer = await ask(path, { ...OWNER, scopes: ['manage:websites', 'manage:flags'] });
      expect([answer.status, answer.body.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
    });
    it(`answers another method on ${route.path} with METHOD_NOT_ALLOWED and what is allowed`, async () => {
      const answer = await ask(path, OWNER, 'PUT');
      expect([answer.status, answer.body.code]).to.deep.equal([405, 'METHOD_NOT_ALLOWED']);
      expect(answer.headers.get('allow')).to.match(/^GET, HEAD, (?:POST|PATCH, DELETE)$/);
    });
    it(`answers what its schema says and its example obeys it, on ${route.method} ${route.path}`, async () => {
      const answer = await ask(path, OWNER);
      expect(route.success.schema.safeParse(answer.body).error).to.equal(undefined);
      expect(route.success.schema.safeParse(route.success.example).error).to.equal(undefined);
    });
  }

  it('answers an unknown path with NOT_FOUND', async () => {
    const answer = await ask('/v1/websites/', OWNER);
    expect([answer.status, answer.body.code]).to.deep.equal([404, 'NOT_FOUND']);
  });
});
