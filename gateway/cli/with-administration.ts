/** Finds what answers an operator: the running server of DATA_DIR, else the stores. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { parse } from 'yaml';
import { type Cleanups, createCleanups } from '../../services/resources/cleanup/cleanups.ts';
import { plansFileSchema } from '../../services/shared/plugin/plans.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { EventStore } from '../../services/shared/ports/event-store.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { createUsageCounter } from '../../services/shared/usage/usage-counter.ts';
import { importBatch } from '../../services/tracking/import/import-batch.ts';
import { type Administration, createAdministration } from '../administration-operations.ts';
import { probeSocket } from '../administration-socket.ts';
import type { Closers } from '../all-or-nothing.ts';
import { dataPathsOf } from '../data-directory.ts';
import { type DocumentSettings, NoStoreError, openDocuments } from '../open-documents.ts';
import { type EventSettings, openEvents } from '../open-events.ts';
import { loadSecrets, readSecrets, sealerOf } from '../secrets.ts';
import { createAdministrationClient } from './administration-client.ts';
import { Refusal } from './refusal.ts';

/** What of the settings the command line needs. */
export interface CliSettings extends DocumentSettings, EventSettings {
  /** Absolute. */
  readonly dataDir: string;
  readonly keyPrefix: string;
  /** Absolute; holds plans.yml. */
  readonly configDir: string;
  /** Null: secrets.json in `dataDir`. */
  readonly secretsFile: string | null;
}

/** The command says itself what could not be done. */
const SILENT = { info() {}, warn() {} };

/** How long a command waits for Redis before it works without, in milliseconds: other processes then learn of its writes later. */
const BUS_MS = 1_000;

/**
 * Runs `work` with the operations, and closes what was opened for it. With MONGODB_URI it works on that database,
 * whatever runs in DATA_DIR. @throws Refusal when there is no store yet
 */
export async function withAdministration<T>(
  settings: CliSettings,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  const { administrationSocket } = dataPathsOf(settings.dataDir);
  if (settings.mongodbUri === null && (await probeSocket(administrationSocket)) === 'live') {
    return work(createAdministrationClient(administrationSocket));
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
  const { documents, connected, isShared } = await openDocuments(settings, stores, closers).catch(
    noStore(settings),
  );
  await Promise.race([connected(), delay(BUS_MS, undefined, { ref: false })]);
  const usage = createUsageCounter({ documents, clock, logger });
  closers.push(() => usage.close());
  const ports = { documents, ids: createIds(), clock, randomBytes };
  let events: Promise<EventStore> | undefined;
  let cleanups: Cleanups | undefined;
  /** Opened by the first operation that needs it: most do not. */
  const eventStore = (): Promise<EventStore> => {
    events ??= openEvents(settings, { path: paths.events, clock }, closers).then((opened) => opened.events);
    return events;
  };
  const result = await work(
    createAdministration(ports, {
      keyPrefix: settings.keyPrefix,
      plans: () => planNames(settings.configDir),
      sealer: async () => sealerOf(await readSecrets(secretsFile)),
      async importBatch(batch) {
        // One made here would count visitors apart from those of the processes that share the database.
        const secrets = await (isShared ? readSecrets : loadSecrets)(secretsFile);
        const visitorSecret = Buffer.from(secrets.visitorSecret, 'base64url');
        return importBatch(batch, { events: await eventStore(), documents, clock, visitorSecret, usage });
      },
      async cleanups() {
        // Other processes take events in: the resources service finds it on its list, and waits for these.
        if (isShared) return { wake() {} };
        cleanups ??= createCleanups({ ...ports, events: await eventStore(), log: SILENT });
        return cleanups;
      },
    }),
  );
  const left = (await cleanups?.finishLeft()) ?? 0;
  if (left > 0) {
    throw new Refusal(
      'UPSTREAM_UNAVAILABLE',
      'not everything could be removed: the next start goes on with it',
    );
  }
  return result;
}

/** A store that is missing, in the words of a command. */
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
