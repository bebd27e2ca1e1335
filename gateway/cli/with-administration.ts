/** Finds what answers an operator: the running server of DATA_DIR, else its stores. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { parse } from 'yaml';
import { type Cleanups, createCleanups } from '../../services/resources/cleanup/cleanups.ts';
import { plansFileSchema } from '../../services/shared/plugin/plans.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { EventStore } from '../../services/shared/ports/event-store.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { createSqliteDocumentStore } from '../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { createUsageCounter } from '../../services/shared/usage/usage-counter.ts';
import { importBatch } from '../../services/tracking/import/import-batch.ts';
import { type Administration, createAdministration } from '../administration-operations.ts';
import { probeSocket } from '../administration-socket.ts';
import { dataPathsOf } from '../data-directory.ts';
import { loadSecrets, readSecrets, sealerOf } from '../secrets.ts';
import { createAdministrationClient } from './administration-client.ts';
import { Refusal } from './refusal.ts';

/** What of the settings the command line needs. */
export interface CliSettings {
  /** Absolute. */
  readonly dataDir: string;
  readonly keyPrefix: string;
  /** Absolute; holds plans.yml. */
  readonly configDir: string;
  /** Null: secrets.json in `dataDir`. */
  readonly secretsFile: string | null;
  /** Newest event ids of which repeats are known. */
  readonly eventIdWindow: number;
}

/** The command says itself what could not be done. */
const SILENT = { info() {}, warn() {} };

/** Runs `work` with the operations, and closes what was opened for it. @throws Refusal when there is no store yet */
export async function withAdministration<T>(
  settings: CliSettings,
  work: (administration: Administration) => Promise<T>,
): Promise<T> {
  const paths = dataPathsOf(settings.dataDir);
  const { documents: path, administrationSocket } = paths;
  if ((await probeSocket(administrationSocket)) === 'live') {
    return work(createAdministrationClient(administrationSocket));
  }
  if (!existsSync(path)) {
    throw new Refusal(
      'NOT_FOUND',
      `there is no store in ${settings.dataDir}: start the server once, or set DATA_DIR to the folder of its data`,
    );
  }
  const secretsFile = settings.secretsFile ?? paths.secrets;
  const logger = pino(pino.destination({ dest: 2, sync: true }));
  const documents = createSqliteDocumentStore({ path, clock: systemClock });
  const usage = createUsageCounter({ documents, clock: systemClock, logger });
  const ports = { documents, ids: createIds(), clock: systemClock, randomBytes };
  let events: Promise<EventStore> | undefined;
  let cleanups: Cleanups | undefined;
  /** Opened by the first operation that needs it: most do not. */
  const openEvents = (): Promise<EventStore> => {
    events ??= createDuckDbEventStore({ path: paths.events, eventIdWindow: settings.eventIdWindow });
    return events;
  };
  try {
    const result = await work(
      createAdministration(ports, {
        keyPrefix: settings.keyPrefix,
        plans: () => planNames(settings.configDir),
        sealer: async () => sealerOf(await readSecrets(secretsFile)),
        async importBatch(batch) {
          const { visitorSecret } = await loadSecrets(secretsFile);
          return importBatch(batch, {
            events: await openEvents(),
            documents,
            clock: systemClock,
            visitorSecret: Buffer.from(visitorSecret, 'base64url'),
            usage,
          });
        },
        async cleanups() {
          cleanups ??= createCleanups({ ...ports, events: await openEvents(), log: SILENT });
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
  } finally {
    await events?.then(
      (store) => store.close(),
      () => undefined,
    );
    await usage.close();
    await documents.close();
  }
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
