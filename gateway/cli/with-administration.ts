/** Finds what serves an operator's command: the running server of DATA_DIR, or else the stores. */

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { parse } from 'yaml';
import { dataPathsOf } from '../../config/data-directory.ts';
import type { Settings } from '../../config/settings.ts';
import { exportBatch } from '../../services/query/export/export-batch.ts';
import { type Cleanups, createCleanups } from '../../services/resources/cleanup/cleanups.ts';
import { SHIPPED_CATALOGUE } from '../../services/shared/access/scope-catalogue.ts';
import { plansFileSchema } from '../../services/shared/plans/plans.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { EventStore } from '../../services/shared/ports/event-store.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { createUsageCounter } from '../../services/shared/usage/usage-counter.ts';
import { importBatch } from '../../services/tracking/import/import-batch.ts';
import { createDailySalts, type DailySalts } from '../../services/tracking/salts/daily-salts.ts';
import { type Administration, createAdministration } from '../administration/operations.ts';
import { probeSocket } from '../administration/socket.ts';
import { loadScopes } from '../configuration/load-scopes.ts';
import type { Closers } from '../process/all-or-nothing.ts';
import { configurationsOf } from '../process/reload/configuration-operations.ts';
import { configurationVariables, unstartedServiceUrls } from '../process/reload/configuration-variables.ts';
import { loadSecrets, readSecrets, sealerOf } from '../process/secrets/secrets.ts';
import { type DocumentSettings, NoStoreError, openDocuments } from '../process/stores/open-documents.ts';
import { type EventSettings, openEvents } from '../process/stores/open-events.ts';
import { createAdministrationClient } from './administration-client.ts';
import { Refusal } from './refusal.ts';

/** The settings that the command line needs. */
export interface CliSettings extends DocumentSettings, EventSettings {
  /** Absolute. */
  readonly dataDir: string;
  readonly keyPrefix: string;
  /** Absolute; holds plans.yml. */
  readonly configDir: string;
  /** Null: secrets.json in `dataDir`. */
  readonly secretsFile: string | null;
  readonly serviceUrls: Settings['serviceUrls'];
  readonly dashboardDir: string;
  readonly customSql: Settings['customSql'];
}

/** The command itself reports what failed. */
const SILENT = { info() {}, warn() {} };

/** How long a command waits for Redis before it continues without, in milliseconds: other processes then learn of its writes later. */
const BUS_MS = 1_000;

/**
 * Runs `work` with the operations, and closes what was opened for it. With MONGODB_URI the operations use that database,
 * whether or not a server runs in DATA_DIR. @throws Refusal when there is no store yet
 */
export async function withAdministration<T>(
  settings: CliSettings,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  const { operatorSocket } = dataPathsOf(settings.dataDir);
  if (settings.mongodbUri === null && (await probeSocket(operatorSocket)) === 'live') {
    return work(createAdministrationClient(operatorSocket));
  }
  const closers: Closers = [];
  try {
    return await withStores(settings, closers, work);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function withStores<T>(
  settings: CliSettings,
  closers: Closers,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  const paths = dataPathsOf(settings.dataDir);
  const secretsFile = settings.secretsFile ?? paths.secrets;
  const logger = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
  const clock = systemClock;
  const stores = { path: paths.documents, isOwner: false, clock, logger };
  const { bus, documents, connected, isShared } = await openDocuments(settings, stores, closers).catch(
    noStore(settings),
  );
  await Promise.race([connected(), delay(BUS_MS, undefined, { ref: false })]);
  const usage = createUsageCounter({ documents, clock, logger });
  closers.push(() => usage.close());
  const listed = await loadScopes(settings.configDir);
  if (listed === null)
    logger.warn(
      { directory: settings.configDir },
      'the scopes of the configuration cannot be read, so only the shipped ones are known here: see tidegate check',
    );
  const ports = {
    documents,
    ids: createIds(),
    clock,
    randomBytes,
    scopes: () => listed ?? SHIPPED_CATALOGUE,
  };
  let events: Promise<EventStore> | undefined;
  let cleanups: Cleanups | undefined;
  let salts: DailySalts | undefined;
  /** Opened by the first operation that needs it: most need none. */
  const eventStore = (): Promise<EventStore> => {
    events ??= openEvents(settings, { path: paths.events, clock, logger }, closers).then(
      (opened) => opened.events,
    );
    return events;
  };
  const result = await work(
    createAdministration(ports, {
      keyPrefix: settings.keyPrefix,
      plans: () => planNames(settings.configDir),
      purgeCaches: settings.redis === null ? null : () => bus.publish({ kind: 'keptAnswers' }),
      configurations: configurationsOf(documents, {
        source: {
          directory: settings.configDir,
          variables: configurationVariables(
            unstartedServiceUrls(settings.serviceUrls),
            settings.dashboardDir,
          ),
          customSql: settings.customSql,
        },
        reload: null,
      }),
      sealer: async () => sealerOf(await readSecrets(secretsFile)),
      async importBatch(batch) {
        // A secret created here would give visitors other ids than the processes that share the database do.
        const secrets = await (isShared ? readSecrets : loadSecrets)(secretsFile);
        const visitorSecret = Buffer.from(secrets.visitorSecret, 'base64url');
        salts ??= createDailySalts({ documents, clock, visitorSecret, randomBytes });
        return importBatch(batch, { events: await eventStore(), documents, clock, salts, usage });
      },
      exportBatch: async (asked) => exportBatch(asked, { events: await eventStore(), documents }),
      async cleanups() {
        // Other processes ingest events: the resources service finds the deletion on its list, and waits for them.
        if (isShared) return { wake() {} };
        const events = await eventStore();
        const { profileEvents } = events;
        cleanups ??= createCleanups({ ...ports, events, profileEvents, log: SILENT });
        return cleanups;
      },
    }),
  );
  const left = (await cleanups?.finishLeft()) ?? 0;
  if (left > 0) {
    throw new Refusal(
      'UPSTREAM_UNAVAILABLE',
      'not everything could be removed: the next start continues the removal',
    );
  }
  return result;
}

/** The error of a command for a store that is missing. */
function noStore({ dataDir }: CliSettings): (fault: unknown) => never {
  return (fault) => {
    if (!(fault instanceof NoStoreError)) throw fault;
    throw new Refusal(
      'NOT_FOUND',
      `there is no store in ${dataDir}: start the server once, or set DATA_DIR to the folder of its data`,
    );
  };
}

/** The plans of the configuration. @throws Refusal when plans.yml cannot be used */
async function planNames(configDir: string): Promise<string[]> {
  const file = join(configDir, 'plans.yml');
  try {
    return Object.keys(plansFileSchema.parse(parse(await readFile(file, 'utf8'))).plans);
  } catch {
    throw new Refusal('VALIDATION_ERROR', `${file} cannot be used: see "tidegate check"`);
  }
}
