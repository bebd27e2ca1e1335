/** Gives suites a server of separate processes: one set for all that ask for nothing special, fresh for each. */

import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { WRITER_COLLECTION } from '../../../services/shared/storage/mongodb/arrivals/event-writers.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { startMongodb, type TestMongodb } from '../mongodb/mongodb-server.ts';
import { atEndOfRun } from '../run/end-of-run.ts';
import type { StartOptions } from '../start-tidegate.ts';
import { PROVISIONING } from '../test-organizations.ts';
import { forgetEverything } from './forget-everything.ts';
import { type DistributedSystem, startDistributed } from './start-distributed.ts';

/** As much of a server as differs from an embedded one. */
export interface StartedDistributed {
  readonly origin: string;
  readonly dataDir: string;
  close(): Promise<void>;
}

interface Shared {
  readonly system: DistributedSystem;
  readonly snapshot: Snapshot;
}

/** What separate processes cannot be given. */
const EMBEDDED_OPTIONS = ['clock', 'dataDir', 'logger'] as const;

let mongodb: Promise<TestMongodb> | null = null;
let shared: Promise<Shared> | null = null;
/** Whether a suite used the shared set. */
let isUsed = false;

atEndOfRun(closeShared);

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
  const { system, snapshot } = await startShared();
  if (isUsed) await makeFresh({ system, snapshot });
  isUsed = true;
  return { origin: system.origin, dataDir: system.folder, close: async () => undefined };
}

/** What suites share, started when it is not. */
export function startShared(): Promise<Shared> {
  shared ??= start({}).then(async (system) => ({
    system,
    snapshot: await takeSnapshot(system.mongodbUri),
  }));
  return shared;
}

/** Ends what suites shared. @throws Error for a secret in a log */
async function closeShared(): Promise<void> {
  const running = await shared;
  const database = await mongodb;
  shared = null;
  mongodb = null;
  try {
    await running?.system.close();
  } finally {
    await database?.close();
  }
}

async function start(settings: Readonly<Record<string, string>>): Promise<DistributedSystem> {
  mongodb ??= startMongodb();
  const { PROVISION_FILE: file, ...others } = settings;
  const provisioning = file === undefined ? PROVISIONING : readFileSync(file, 'utf8');
  return startDistributed({ provisioning, settings: others, mongodb: await mongodb });
}

/** Every document of a database, by collection. */
type Snapshot = ReadonlyMap<string, readonly object[]>;

/** What is stored once the provisioning file is applied. */
async function takeSnapshot(uri: string): Promise<Snapshot> {
  const connection = await openConnection(uri, { appName: 'tidegate test' });
  const snapshot = new Map<string, readonly object[]>();
  for (const { name } of await connection.listCollections()) {
    snapshot.set(name, await connection.collection(name).find({}).toArray());
  }
  await connection.close();
  return snapshot;
}

/** As just started: the database holds the snapshot and nothing else, limits count from nought, and all processes forget. */
async function makeFresh({ system, snapshot }: Shared): Promise<void> {
  const { mongodbUri, redis, gateway, services } = system;
  await forgetCounts(redis.url);
  const connection = await openConnection(mongodbUri, { appName: 'tidegate test' });
  for (const { name } of await connection.listCollections()) {
    // Processes that run are registered there: one whose entry is gone refuses what it is storing.
    if (name === WRITER_COLLECTION) continue;
    const collection = connection.collection(name);
    await collection.deleteMany({});
    const documents = snapshot.get(name) ?? [];
    if (documents.length > 0) await collection.insertMany(documents.map((document) => ({ ...document })));
  }
  await connection.close();
  await forgetEverything(redis.url, [gateway, ...Object.values(services)]);
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
