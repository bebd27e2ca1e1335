/** Starts the resources service over a store in memory and plays the gateway towards it, one caller at a time. */

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createJudgeViewState } from '../../services/query/saved-views/judge-view-state.ts';
import { createDescribeShare } from '../../services/query/shares/describe-share.ts';
import { createJudgeShare } from '../../services/query/shares/judge-share.ts';
import { createResourcesService } from '../../services/resources/create-resources-service.ts';
import { type Caller, PUBLIC_CALLER } from '../../services/shared/access/caller.ts';
import { type ScopeCatalogue, SHIPPED_CATALOGUE } from '../../services/shared/access/scope-catalogue.ts';
import { SCOPES } from '../../services/shared/access/scopes.ts';
import { createPasswordHasher } from '../../services/shared/credentials/password-hasher.ts';
import type { SecretSealer } from '../../services/shared/credentials/secret-sealer.ts';
import { PrometheusMetrics } from '../../services/shared/metrics/prometheus-metrics.ts';
import type { Role } from '../../services/shared/model/user.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { MemoryBus } from '../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../services/shared/storage/publish-writes.ts';
import { createTestIdentity } from './identity.ts';
import { createLogWatch } from './log-watch.ts';
import { createMemoryDocumentStore } from './memory-document-store.ts';
import { NO_PROFILE_EVENTS } from './no-profile-events.ts';
import { TEST_PLANS } from './policy-kit.ts';
import { createTestCleanups } from './start-cleanups.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { createTestSealer } from './test-sealer.ts';
import { askWhole } from './whole-answer.ts';

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Whatever shape the test expects. */
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface AskOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** A session of `org_one` with this role; `usr_<role>` is its user. */
export function sessionOf(role: Role, overrides: Partial<Caller> = {}): Caller {
  return {
    id: `ses_${role}`,
    kind: 'session',
    organizationId: 'org_one',
    userId: `usr_${role}`,
    role,
    plan: 'free',
    scopes: [...SCOPES],
    access: { level: 'global' },
    ...overrides,
  };
}

/** A key of `org_one` with every scope. */
export const KEY_CALLER: Caller = {
  ...PUBLIC_CALLER,
  id: 'key_all',
  kind: 'key',
  organizationId: 'org_one',
  plan: 'free',
  scopes: [...SCOPES],
  access: { level: 'global' },
};

/** Over a store in memory that holds `org_one` and `org_two`. */
export async function startResourcesService() {
  const clock = createTestClock('2026-03-01T12:00:00.000Z');
  const documents = createMemoryDocumentStore(clock);
  for (const id of ['org_one', 'org_two']) {
    await documents.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits: {} });
  }
  return startResourcesServiceOver(documents, clock);
}

/** What differs from a service in production with one key. */
export interface ResourcesServiceOptions {
  readonly sealer?: SecretSealer;
  readonly allowsLocalHttp?: boolean;
  /** The scopes in force. */
  readonly scopes?: () => ScopeCatalogue;
}

/** Over the given store. */
export async function startResourcesServiceOver<Store extends DocumentStore>(
  documents: Store,
  clock: TestClock,
  options: ResourcesServiceOptions = {},
) {
  const ids = createIds();
  const sealer = options.sealer ?? createTestSealer();
  const allowsLocalHttp = options.allowsLocalHttp ?? false;
  const bus = new MemoryBus();
  const identity = await createTestIdentity('resources', clock);
  const log = createLogWatch();
  const { cleanups, erased } = createTestCleanups(documents, clock);
  const app = createResourcesService(
    {
      documents: publishWrites(documents, bus),
      ...{ bus, ids, clock, randomBytes, keyPrefix: 'tg', cleanups, sealer, allowsLocalHttp },
      profileEvents: NO_PROFILE_EVENTS,
      judgeViewState: createJudgeViewState(clock),
      judgeShare: createJudgeShare(clock),
      describeShare: createDescribeShare(clock),
      sharePage: () => Buffer.from('a page'),
      passwords: createPasswordHasher(),
      plans: () => TEST_PLANS,
      scopes: options.scopes ?? (() => SHIPPED_CATALOGUE),
      servedSegments: () => ['track', 'v1'],
    },
    {
      verifyIdentity: identity.verifyIdentity,
      logger: log.logger,
      metrics: new PrometheusMetrics(),
    },
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    clock,
    documents,
    /** Hears of what the service writes, not of what a test writes to `documents`. */
    bus,
    ids,
    cleanups,
    /** Which events were erased, in order. */
    erased,
    /** A request of `caller`; null: without the gateway's identity. */
    async ask(
      caller: Caller | null,
      method: string,
      path: string,
      options: AskOptions = {},
    ): Promise<ServiceAnswer> {
      const { body } = options;
      const whole = await askWhole(`${base}${path}`, {
        method,
        headers: {
          ...(caller === null ? {} : await identity.headersFor(caller, `${method} ${path}`)),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return {
        status: whole.status,
        body: whole.text === '' ? null : JSON.parse(whole.text),
        get headers() {
          return whole.headers;
        },
      };
    },
    async close() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      log.assertClean();
    },
  };
}
export type ResourcesService = Awaited<ReturnType<typeof startResourcesService>>;
