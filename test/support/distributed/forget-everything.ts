/** Has processes forget what they remember of documents, and waits until they did. */
import { parseRedisUrl } from '../../../services/shared/storage/redis/redis-address.ts';
import { RedisBus } from '../../../services/shared/storage/redis/redis-bus.ts';
import type { ServerProcess } from '../gateway-process.ts';

/** Tells all that listen to this Redis that everything changed; resolves once these processes have heard it. */
export async function forgetEverything(
  redisUrl: string,
  processes: readonly Pick<ServerProcess, 'origin'>[],
): Promise<void> {
  const bus = new RedisBus({ address: parseRedisUrl(redisUrl), onConnection: () => undefined });
  await bus.connected();
  bus.publish({ kind: 'everything' });
  // Once Redis has answered, the word is on its way to each.
  await bus.close();
  await Promise.all(processes.map(readsOn));
}

/** Resolves once the process read what came before: a first request may be read ahead of it, a later one is not. */
async function readsOn({ origin }: Pick<ServerProcess, 'origin'>): Promise<void> {
  for (let asked = 0; asked < 2; asked++) await (await fetch(`${origin}/health`)).arrayBuffer();
}
