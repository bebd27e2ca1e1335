/** Gives API suites a server of separate processes: one set for all that ask for nothing special, fresh for each. */
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { applyProvisioning } from '../../../services/resources/provisioning/apply-provisioning.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import { createIds } from '../../../services/shared/ports/ids.ts';
import { createMongodbDocumentStore } from '../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { RedisBus } from '../../../services/shared/storage/redis/redis-bus.ts';
import { startMongodb, type TestMongodb } from '../mongodb/mongodb-server.ts';
import type { StartOptions } from '../start-tidegate.ts';
import { PROVISIONING } from '../test-organizations.ts';
import { type DistributedSystem, startDistributed } from './start-distributed.ts';

/** As much of a server as differs from an embedded one. */
export interface StartedDistributed {
  readonly origin: string;
  readonly dataDir: string;
  close(): Promise<void>;
}

/** What separate processes cannot be given. */
const EMBEDDED_OPTIONS = ['clock', 'dataDir', 'logger'] as const;

let mongodb: Promise<TestMongodb> | null = null;
let shared: Promise<DistributedSystem> | null = null;
/** Whether a suite used the shared set. */
let isUsed = false;

/** Starts what suites share, or empties it for the next one; with options a set of its own. @throws Error for options of embedded servers */
export async function startDistributedTidegate(options: StartOptions): Promise<StartedDistributed> {
  const impossible = EMBEDDED_OPTIONS.filter((name) => options[name] !== undefined);
  if (impossible.length > 0) {
    throw new Error(
      `separate processes take no ${impossible.join(', ')}: list the suite in embedded-suites.ts`,
    );
  }
  if (options.settings !== undefined || options.configDir !== undefined) {
    const settings: Record<string, string> = { ...options.settings };
    if (options.configDir !== undefined) settings.CONFIG_DIR = options.configDir;
    const own = await start(settings);
    return { origin: own.origin, dataDir: own.folder, close: own.close };
  }
  const system = await startShared();
  if (isUsed) await makeFresh(system);
  isUsed = true;
  return { origin: system.origin, dataDir: system.folder, close: async () => undefined };
}

/** What suites share, started when it is not. */
export function startShared(): Promise<DistributedSystem> {
  shared ??= start({});
  return shared;
}

/** Ends what suites shared. @throws Error for a secret in a log */
export async function closeShared(): Promise<void> {
  const system = await shared;
  const database = await mongodb;
  shared = null;
  mongodb = null;
  try {
    await system?.close();
  } finally {
    await database?.close();
  }
}

async function start(settings: Readonly<Record<string, string>>): Promise<DistributedSystem> {
  mongodb ??= startMongodb();
  return startDistributed({ provisioning: PROVISIONING, settings, mongodb: await mongodb });
}

/** As just started: everything stored is removed and provisioned anew, counts of limits too, and all processes forget. */
async function makeFresh({ mongodbUri, redis }: DistributedSystem): Promise<void> {
  await forgetCounts(redis.url);
  const connection = await openConnection(mongodbUri, { appName: 'tidegate test' });
  const bus = new RedisBus({ url: redis.url, onConnection: () => undefined });
  const documents = createMongodbDocumentStore({ connection, clock: systemClock });
  try {
    for (const { name } of await connection.listCollections()) {
      if (name !== 'tidegate_schema') await connection.collection(name).deleteMany({});
    }
    await applyProvisioning(
      { documents, ids: createIds() },
      {
        file: 'provision.yml',
        text: PROVISIONING,
        plans: ['free', 'hobby', 'pro', 'scale'],
        servedSegments: [],
      },
    );
    await bus.connected();
    bus.publish({ kind: 'everything' });
  } finally {
    await bus.close();
    await documents.close();
  }
  // The word is out; each process takes it in its next turn.
  await delay(100);
}

/** Empties Redis. */
function forgetCounts(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write('FLUSHALL\r\n'));
    socket.once('error', reject);
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
  });
}
