/** Retention: whose number of days holds, and that exactly the events older than it are removed. */
import { expect } from 'chai';

import { loadSettings, SettingsError } from '../../../../config/settings.ts';
import {
  applyRetention,
  retentionDaysOf,
  startStorageTasks,
} from '../../../../gateway/process/stores/storage-tasks.ts';
import { PrometheusMetrics } from '../../../../services/shared/metrics/prometheus-metrics.ts';
import { createDuckDbEventStore } from '../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { eventRecord } from '../../../support/event-record.ts';
import { createStrictLogger } from '../../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { until } from '../../../support/until.ts';

const DAY_MS = 86_400_000;
const PLAN = { per10Seconds: 1, perMinute: 1 };
const PLANS = { free: { ...PLAN, retentionDays: 30 }, scale: PLAN };

describe('retention', () => {
  it("takes an organization's own days, else its plan's, else those of the installation", () => {
    expect(retentionDaysOf({ plan: 'free', retentionDays: 400 }, PLANS, 10)).to.equal(400);
    expect(retentionDaysOf({ plan: 'free' }, PLANS, 10)).to.equal(30);
    expect(retentionDaysOf({ plan: 'scale' }, PLANS, 10)).to.equal(10);
    expect(retentionDaysOf({ plan: 'scale' }, PLANS, null)).to.equal(null);
  });

  it('removes exactly what is older, of each organization by its own days, and counts it', async () => {
    const directory = createTempDirectory();
    const clock = createTestClock();
    const events = await createDuckDbEventStore({
      path: directory.file('e.duckdb'),
      clock,
      memoryLimit: '256MB',
    });
    const documents = createMemoryDocumentStore(clock);
    const add = (id: string, plan: string, retentionDays?: number) =>
      documents.organizations.insert({
        id,
        organizationId: id,
        name: id,
        plan,
        limits: {},
        ...(retentionDays === undefined ? {} : { retentionDays }),
      });
    await Promise.all([add('org_own', 'free', 2), add('org_plan', 'free'), add('org_kept', 'scale')]);
    const edges = [2, 30].flatMap((days) => [-1, 0, 1].map((ms) => clock.now() - days * DAY_MS + ms));
    await events.append(
      ['org_own', 'org_plan', 'org_kept', 'org_gone'].flatMap((organization_id) =>
        edges.map((timestamp, i) =>
          eventRecord({ organization_id, timestamp, event_id: `${organization_id} ${i}` }),
        ),
      ),
    );
    let removed = 0;
    const parts = {
      events,
      documents,
      plans: () => PLANS,
      retentionDays: null,
      clock,
      logger: createStrictLogger(),
      removed: {
        add: (count = 1) => {
          removed += count;
        },
      },
      signal: new AbortController().signal,
    };
    await applyRetention(parts);
    await applyRetention(parts);
    const rows = await events.run({
      engine: 'duckdb',
      sql: `SELECT organization_id AS id, string_agg(right(event_id, 1), '' ORDER BY event_id) AS left FROM events GROUP BY ALL ORDER BY 1`,
      params: {},
    });
    expect(rows).to.deep.equal([
      { id: 'org_gone', left: '012345' },
      { id: 'org_kept', left: '012345' },
      { id: 'org_own', left: '12' },
      { id: 'org_plan', left: '01245' },
    ]);
    expect(removed).to.equal(5);
    await events.close();
    directory.remove();
  });

  it('keeps no process from ending, however much is left to remove, and starts with no further organization', async () => {
    const directory = createTempDirectory();
    const clock = createTestClock();
    const events = await createDuckDbEventStore({ path: directory.file('e.duckdb'), memoryLimit: '256MB' });
    const documents = createMemoryDocumentStore(clock);
    for (const id of ['org_a', 'org_b']) {
      await documents.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits: {} });
    }
    let asked = 0;
    const tasks = startStorageTasks({
      events: {
        // As long as it is let.
        erase: (_selection, signal) => {
          asked++;
          return new Promise((_, reject) => {
            signal?.addEventListener('abort', () => reject(signal.reason));
          });
        },
      },
      compactor: events.compactor,
      documents,
      plans: () => PLANS,
      retentionDays: null,
      auditRetentionDays: null,
      clock,
      logger: createStrictLogger(),
      metrics: new PrometheusMetrics(),
    });
    await until('retention begins', () => asked > 0);
    await tasks.close();
    expect(asked).to.equal(1);
    await events.close();
    directory.remove();
  });

  it('leaves the events of an erasure that was ended before it began', async () => {
    const directory = createTempDirectory();
    const events = await createDuckDbEventStore({ path: directory.file('e.duckdb'), memoryLimit: '256MB' });
    await events.append([eventRecord({ organization_id: 'org_a' })]);
    const ended = AbortSignal.abort(new Error('the process ends'));
    const selection = { organizationId: 'org_a', websiteId: null, anonymousId: null };
    expect(await events.erase(selection, ended).catch((fault: unknown) => fault)).to.equal(ended.reason);
    expect(await events.erase(selection)).to.equal(1);
    await events.close();
    directory.remove();
  });

  it('reads RETENTION_DAYS as days from 1 to 36500, none when empty', () => {
    expect(loadSettings({}).retentionDays).to.equal(null);
    expect(loadSettings({ RETENTION_DAYS: '36500' }).retentionDays).to.equal(36_500);
    for (const wrong of ['0', '36501', '-1', '1.5', 'none']) {
      expect(() => loadSettings({ RETENTION_DAYS: wrong }), wrong).to.throw(SettingsError, 'RETENTION_DAYS=');
    }
  });
});
