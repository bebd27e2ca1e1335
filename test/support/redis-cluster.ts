/** A Redis Cluster of three masters, the first of which has a replica that takes its place when it is gone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './free-port.ts';
import { startRedis, type TestRedis } from './redis-server.ts';

export interface TestCluster {
  /** Names two of its nodes, the first not among them. */
  readonly url: string;
  /** A client of each master, in the order of their slots. */
  readonly masters: readonly Redis[];
  /** Ends the master that has a replica, at once; what it was told before has reached that, which stays one for now. */
  killFirst(): Promise<void>;
  /** Lets the replica take its place. */
  succeed(): Promise<void>;
  close(): Promise<void>;
}

interface Node {
  readonly server: TestRedis;
  readonly busPort: number;
  readonly client: Redis;
}

/**
 * How long a node may be silent until the others take it for lost, in milliseconds. While they are to live, longer than a busy
 * machine keeps any of them waiting; then as short as their take-over is to be.
 */
const SILENCE_MS = { living: 60_000, lost: 1_000 };

/** Slots of each master, from and to. */
const RANGES = [
  [0, 5_460],
  [5_461, 10_922],
  [10_923, 16_383],
] as const;

/** Starts it and waits until it serves. */
export async function startCluster(): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-cluster-'));
  const nodes = await Promise.all([0, 1, 2, 3].map((index) => startNode(folder, index)));
  const [first, second, third, replica] = nodes as [Node, Node, Node, Node];
  const masters = [first, second, third];
  await Promise.all(
    masters.map(async ({ client }, index) => {
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
      await client.call('CLUSTER', 'ADDSLOTSRANGE', ...(RANGES[index] ?? []));
    }),
  );
  for (const { server, busPort } of [second, third, replica]) {
    await first.client.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort);
  }
  await Promise.all(
    nodes.map(({ client }) => until(client, (text) => text.includes('cluster_known_nodes:4'))),
  );
  await replica.client.config('SET', 'cluster-replica-no-failover', 'yes');
  await replica.client.call('CLUSTER', 'REPLICATE', await first.client.cluster('MYID'));
  await Promise.all(nodes.map(({ client }) => until(client, (text) => text.includes('cluster_state:ok'))));
  while (!(await first.client.info('replication')).includes('state=online')) await turn();
  const allow = (members: readonly Node[], silenceMs: number) =>
    Promise.all(members.map(({ client }) => client.config('SET', 'cluster-node-timeout', silenceMs)));
  await allow(nodes, SILENCE_MS.living);

  return {
    url: `redis-cluster://127.0.0.1:${second.server.port},127.0.0.1:${third.server.port}`,
    masters: masters.map(({ client }) => client),
    async killFirst() {
      await first.client.wait(1, 5_000);
      first.client.disconnect();
      await first.server.kill();
    },
    async succeed() {
      await replica.client.config('SET', 'cluster-replica-no-failover', 'no');
      await allow([second, third, replica], SILENCE_MS.lost);
    },
    async close() {
      for (const { client } of nodes) client.disconnect();
      await Promise.all(nodes.map(({ server }) => server.kill()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startNode(folder: string, index: number): Promise<Node> {
  const busPort = await freePort();
  const server = await startRedis([
    ...[
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      `${busPort}`,
      '--cluster-node-timeout',
      `${SILENCE_MS.lost}`,
    ],
    ...['--cluster-config-file', join(folder, `nodes-${index}.conf`), '--dir', folder],
    // However long its master has been away, the replica may take its place.
    ...['--repl-diskless-sync-delay', '0', '--cluster-replica-validity-factor', '0'],
  ]);
  const client = new Redis(server.url);
  client.on('error', () => {});
  return { server, busPort, client };
}

async function until(client: Redis, isSo: (info: string) => boolean): Promise<void> {
  while (!isSo(String(await client.cluster('INFO')))) await turn();
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
