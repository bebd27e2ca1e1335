/** Starts the query service on a free port over the embedded stores in a temporary directory, or with other events. */

import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createQueryService } from '../../../services/query/create-query-service.ts';
import {
  type CustomSql,
  type CustomSqlOptions,
  createCustomSql,
} from '../../../services/query/custom/custom-sql.ts';
import type { FindLink } from '../../../services/query/query-ports.ts';
import { type Caller, PUBLIC_CALLER } from '../../../services/shared/access/caller.ts';
import type { GrantedCaller } from '../../../services/shared/access/grant.ts';
import { IDENTITY_HEADER } from '../../../services/shared/identity/identity-token.ts';
import { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { EventStore } from '../../../services/shared/ports/event-store.ts';
import { createDuckDbEventStore } from '../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { DuckDbParquetFiles } from '../../../services/shared/storage/duckdb/parquet-files.ts';
import { createSqliteDocumentStore } from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { createLogWatch } from '../log-watch.ts';
import { shippedGrant } from '../shipped-grants.ts';
import { askWhole } from '../whole-answer.ts';

const GLOBAL: Caller = {
  id: 'key_global',
  kind: 'key',
  organizationId: 'org_a',
  userId: null,
  role: null,
  plan: 'free',
  scopes: ['read:data'],
  access: { level: 'global' },
};

function keyOf(...websiteIds: string[]): Caller {
  return { ...GLOBAL, access: { level: 'website', websiteIds } };
}

const WITHOUT_RULE = 'links-without-rule';

/** Who the service takes the bearer of an identity token for, by the token. */
export const CALLERS: Readonly<Record<string, Caller>> = {
  global: GLOBAL,
  session: { ...GLOBAL, id: 'usr_1', kind: 'session', userId: 'usr_1', role: 'viewer' },
  'one-website': keyOf('web_a'),
  'one-website-left': keyOf('web_a', 'web_deleted'),
  'two-websites': keyOf('web_a', 'web_b'),
  'no-websites': keyOf(),
  'other-organization': { ...GLOBAL, organizationId: 'org_b' },
  'empty-organization': { ...GLOBAL, organizationId: 'org_empty' },
  'links-only': { ...GLOBAL, scopes: ['read:links'] },
  'links-of-one-website': { ...keyOf('web_a'), scopes: ['read:links'] },
  /** As through an endpoint that grants nothing under a selector, so that the scopes alone count. */
  [WITHOUT_RULE]: { ...GLOBAL, scopes: ['read:links'] },
  unscoped: { ...GLOBAL, scopes: ['track:events'] },
  public: PUBLIC_CALLER,
};

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface CallOptions {
  /** Token of {@link CALLERS}; null: no identity header. Default: global. */
  readonly as?: string | null;
  readonly method?: string;
  /** Sent as JSON; text is sent as it is. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface StartedQueryService {
  /** A call whose answer is not read yet. */
  open(path: string, options?: CallOptions): Promise<Response>;
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** POST /v1/query of web_a as the global key, with further query-string text such as `&timezone=…`. */
  query(body: unknown, queryString?: string, as?: string): Promise<Answer>;
  /** POST /v1/query/custom of web_a as the global key. */
  custom(body: unknown, queryString?: string, as?: string): Promise<Answer>;
  readonly customSql: CustomSql;
  /** Where the stores keep their files. */
  readonly directory: string;
  readonly events: EventStore;
  readonly documents: DocumentStore;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly log: readonly EventRecord[];
  readonly now: number;
  /** Opens what holds the events; custom queries read the embedded store all the same. Default: the embedded store. */
  readonly openEvents?: () => Promise<EventStore>;
  /** Which short links there are; default: none. */
  readonly findLink?: FindLink;
  /** Stands in for the event store, over the real one. */
  readonly wrapEvents?: (events: EventStore) => EventStore;
  /** Bounds of custom queries in place of the shipped ones. */
  readonly customSql?: Partial<CustomSqlOptions>;
  /** By which copies for custom queries are fresh; default: the clock at `now`, which stands still. */
  readonly customSqlClock?: Clock;
}

/** The shipped bounds. */
const CUSTOM_SQL: CustomSqlOptions = {
  timeoutMs: 30_000,
  memoryMb: 512,
  maxRows: 10_000,
  maxInputRows: 5_000_000,
  threads: 1,
  running: 2,
  waitingPerOrganization: 5,
  maxWaitMs: 10_000,
};

const WEBSITES = [
  ['web_a', 'org_a', 'shop.example'],
  ['web_b', 'org_a', 'blog.example'],
  ['web_c', 'org_b', 'other.example'],
] as const;

export async function startQueryService(options: StartOptions): Promise<StartedQueryService> {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-query-'));
  const clock = { now: () => options.now };
  const store = await createDuckDbEventStore({ path: join(directory, 'events.duckdb'), threads: 1 });
  const opened = (await options.openEvents?.()) ?? store;
  const documents = createSqliteDocumentStore({ path: join(directory, 'documents.sqlite'), clock });
  await opened.append(options.log);
  for (const [id, organizationId, domain] of WEBSITES) {
    await documents.websites.insert({
      id,
      organizationId,
      domain,
      name: domain,
      isPublic: false,
      settings: {},
    });
  }
  const events = options.wrapEvents?.(opened) ?? opened;
  const customSql = createCustomSql(
    { exporter: store.exporter, clock: options.customSqlClock ?? clock },
    { ...CUSTOM_SQL, ...options.customSql },
  );
  const parquet = new DuckDbParquetFiles(join(directory, 'files'));
  const log = createLogWatch();
  const app = createQueryService(
    { events, documents, clock, customSql, parquet, findLink: options.findLink },
    {
      verifyIdentity: async (token = '') => granted(token),
      logger: log.logger,
      metrics: new PrometheusMetrics(),
    },
  );
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function asked(path: string, { as = 'global', method = 'GET', body, headers = {}, signal }: CallOptions) {
    return {
      method,
      signal,
      headers: {
        ...(as === null ? {} : { [IDENTITY_HEADER]: `${as} ${method} ${path}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        'x-request-id': 'r-1',
        ...headers,
      },
      body:
        body === undefined || typeof body === 'string' ? (body as string | undefined) : JSON.stringify(body),
    };
  }

  async function call(path: string, options: CallOptions = {}) {
    const whole = await askWhole(base + path, asked(path, options));
    const { status, statusText, text } = whole;
    const body = text === '' ? {} : JSON.parse(text);
    return {
      status,
      statusText,
      body,
      get headers() {
        return whole.headers;
      },
    };
  }

  return {
    open: (path, options = {}) => fetch(base + path, asked(path, options)),
    call,
    query: (body, queryString = '', as = 'global') =>
      call(`/v1/query?website_id=web_a${queryString}`, { method: 'POST', body, as }),
    custom: (body, queryString = '', as = 'global') =>
      call(`/v1/query/custom?website_id=web_a${queryString}`, { method: 'POST', body, as }),
    customSql,
    directory,
    events,
    documents,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await customSql.close();
      await parquet.close();
      await store.close();
      if (opened !== store) await opened.close();
      await documents.close();
      log.assertClean();
      rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

/** The caller of a token, `NAME METHOD PATH`, as through the shipped endpoint for that method and path. */
function granted(token: string): GrantedCaller | null {
  const [name = '', method = '', path = ''] = token.split(' ');
  const caller = CALLERS[name];
  if (caller === undefined) return null;
  const { scopesUnder, ...grant } = shippedGrant('query', method, path);
  return { ...caller, grant: { ...grant, ...(scopesUnder && name !== WITHOUT_RULE && { scopesUnder }) } };
}

/** The answers to the datasets of a single request. */
export interface ShownDataset {
  readonly parameter: string;
  readonly success: boolean;
  readonly data: readonly Readonly<Record<string, string | number>>[];
  readonly error?: string;
}

export function datasetsOf(answer: Answer): readonly ShownDataset[] {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.data as readonly ShownDataset[];
}

/** The rows of the only dataset that was asked for. */
export function rowsOf(answer: Answer): ShownDataset['data'] {
  const [only] = datasetsOf(answer);
  if (!only?.success) throw new Error(only?.error ?? 'no dataset was answered');
  return only.data;
}
