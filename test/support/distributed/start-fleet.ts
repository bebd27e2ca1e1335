/** Four gateways behind a balancer and two processes of each service, over Redis and a database that outlives a kill. */
import { SERVICES, type ServiceName } from '../../../services/shared/identity/identity-token.ts';
import type { ServerProcess } from '../gateway-process.ts';
import { startMongodb, type TestMongodb } from '../mongodb/mongodb-server.ts';
import type { TestRedis } from '../redis-server.ts';
import { until } from '../until.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { startDistributed } from './start-distributed.ts';

const GATEWAYS = 4;

/** One process and those that take its place, on the same port. */
export interface Member {
  readonly kind: ServiceName | 'gateway';
  /** Such as `query 2`. */
  readonly name: string;
  /** Ends it, as {@link ServerProcess.end}. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Starts its successor, until that listens. */
  start(): Promise<void>;
  /** Resolves once it says that it is ready. */
  ready(): Promise<void>;
}

export interface Fleet {
  readonly members: readonly Member[];
  readonly balancer: Balancer;
  readonly redis: TestRedis;
  readonly mongodb: TestMongodb;
  readonly mongodbUri: string;
  /** Ends all of it. @throws Error for a secret in a log */
  close(): Promise<void>;
}

export async function startFleet(provisioning: string): Promise<Fleet> {
  const mongodb = await startMongodb({ durable: true });
  try {
    const system = await startDistributed({ provisioning, mongodb, ofEach: 2, areReplaced: true });
    const { gateway, startGateway, startService, redis, mongodbUri } = system;
    const further = Array.from({ length: GATEWAYS - 1 }, () => startGateway());
    const gateways = [gateway, ...(await Promise.all(further))];
    const members = [
      ...SERVICES.flatMap((kind) =>
        system.members[kind].map((process, at) =>
          memberOf(kind, at, process, (port) => startService(kind, port)),
        ),
      ),
      ...gateways.map((process, at) =>
        memberOf('gateway', at, process, (port) => startGateway({ PORT: port })),
      ),
    ];
    const balancer = startBalancer(gateways.map(({ origin }) => origin));
    return {
      ...{ members, balancer, redis, mongodb, mongodbUri },
      async close() {
        await balancer.close();
        await system.close().finally(() => mongodb.close());
      },
    };
  } catch (fault) {
    await mongodb.close();
    throw fault;
  }
}

function memberOf(
  kind: Member['kind'],
  at: number,
  first: ServerProcess,
  startOn: (port: string) => Promise<ServerProcess>,
): Member {
  let process = first;
  const { origin } = first;
  const name = `${kind} ${at + 1}`;
  return {
    kind,
    name,
    end: (signal) => process.end(signal),
    async start() {
      process = await startOn(new URL(origin).port);
    },
    ready: () => until(`${name} is ready`, async () => (await fetch(`${origin}/health/ready`)).ok),
  };
}
