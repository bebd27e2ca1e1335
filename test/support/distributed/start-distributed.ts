/** Starts Tidegate as an operator does past one machine: MongoDB, Redis, and every part a process of its own. */
import { writeFileSync } from 'node:fs';
import { loadSecrets } from '../../../gateway/process/secrets/secrets.ts';
import { SERVICES, type ServiceName } from '../../../services/shared/identity/identity-token.ts';
import { freePort } from '../free-port.ts';
import { type ServerProcess, startProcess } from '../gateway-process.ts';
import { startMongodb, type TestMongodb } from '../mongodb/mongodb-server.ts';
import { startRedis, type TestRedis } from '../redis-server.ts';
import { createTempDirectory } from '../temp-directory.ts';
import { noteSharedStores } from './shared-documents.ts';

export interface DistributedOptions {
  /** The provisioning file's text; absent: the first start makes an organization. */
  readonly provisioning?: string;
  /** Further settings of every process, by their names in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Further settings of the gateway. */
  readonly gatewaySettings?: Readonly<Record<string, string>>;
  /** Processes of each service. Default 1. */
  readonly ofEach?: number;
  /** Whether others may take the place of processes that ended, on the same ports. */
  readonly areReplaced?: boolean;
  /** A database server that runs; it is left running. Absent: one of its own. */
  readonly mongodb?: TestMongodb;
}

export interface DistributedSystem {
  /** Where the first gateway listens. */
  readonly origin: string;
  readonly mongodbUri: string;
  readonly redis: TestRedis;
  readonly mongodb: TestMongodb;
  /** Settings of every process, without those of one kind. */
  readonly environment: Readonly<Record<string, string>>;
  readonly gateway: ServerProcess;
  readonly services: Readonly<Record<ServiceName, ServerProcess>>;
  /** All processes of each service, {@link services} first, which all gateways know. */
  readonly members: Readonly<Record<ServiceName, readonly ServerProcess[]>>;
  /** A folder for files of the test. */
  readonly folder: string;
  /** A further gateway. */
  startGateway(settings?: Readonly<Record<string, string>>): Promise<ServerProcess>;
  /** A further process of the service; `port` takes the place of one that ended. */
  startService(name: ServiceName, port?: string): Promise<ServerProcess>;
  /** Ends everything that was started. @throws Error for a secret in a log */
  close(): Promise<void>;
}

/** One process of each kind. */
export async function startDistributed(options: DistributedOptions = {}): Promise<DistributedSystem> {
  const directory = createTempDirectory();
  const processes: ServerProcess[] = [];
  const redis = await startRedis();
  const mongodb = options.mongodb ?? (await startMongodb());
  const mongodbUri = mongodb.newUri();
  noteSharedStores(directory.path, { mongodbUri, redisUrl: redis.url });
  const secretsFile = directory.file('secrets.json');
  await loadSecrets(secretsFile);
  const environment = {
    MONGODB_URI: mongodbUri,
    REDIS_URL: redis.url,
    SECRETS_FILE: secretsFile,
    DATA_DIR: directory.path,
    TRUSTED_PROXIES: '127.0.0.1',
    ...options.settings,
  };
  const ofResources: Record<string, string> = {};
  if (options.provisioning !== undefined) {
    ofResources.PROVISION_FILE = directory.file('provision.yml');
    writeFileSync(ofResources.PROVISION_FILE, options.provisioning);
  }

  async function start(...[entry, settings]: Parameters<typeof startProcess>): Promise<ServerProcess> {
    const started = await startProcess(entry, { ...environment, ...settings });
    processes.push(started);
    return started;
  }
  /** While nobody listens on it, the system gives it to no other: any port it might. */
  const newPort = async () => (options.areReplaced ? `${await freePort()}` : '0');
  const startService = async (name: ServiceName, port?: string) =>
    start(`main-${name}`, {
      PORT: port ?? (await newPort()),
      ...(name === 'resources' ? ofResources : {}),
    });

  async function close(): Promise<void> {
    const ends = await Promise.allSettled(processes.map((each) => each.end('SIGKILL')));
    await redis.kill();
    if (options.mongodb === undefined) await mongodb.close();
    directory.remove();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  try {
    // The one that migrates comes first; the others find the schema.
    const resources = await startService('resources');
    const [query, tracking] = await Promise.all([startService('query'), startService('tracking')]);
    const services = { query, tracking, resources };
    const startFurther = (name: ServiceName) =>
      Promise.all(Array.from({ length: (options.ofEach ?? 1) - 1 }, () => startService(name)));
    const members = { query: [query], tracking: [tracking], resources: [resources] };
    for (const name of SERVICES) members[name].push(...(await startFurther(name)));
    const urls = Object.fromEntries(
      SERVICES.map((name) => [
        `${name.toUpperCase()}_URL`,
        members[name].map(({ origin }) => origin).join(','),
      ]),
    );
    const startGateway = async (settings: Readonly<Record<string, string>> = {}) =>
      start('main-gateway', {
        ...{ PORT: settings.PORT ?? (await newPort()) },
        ...{ ...urls, ...options.gatewaySettings, ...settings },
      });
    const gateway = await startGateway();
    const { origin } = gateway;
    const folder = directory.path;
    return {
      ...{ origin, mongodbUri, redis, mongodb, environment: { ...environment, ...urls } },
      ...{ gateway, services, members, folder, startGateway, startService, close },
    };
  } catch (fault) {
    await close();
    throw fault;
  }
}
