/** Where separate processes keep their documents, told in a file of their folder, so that a test can open them too. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { createMongodbDocumentStore } from '../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { publishWrites } from '../../../services/shared/storage/publish-writes.ts';
import { parseRedisUrl } from '../../../services/shared/storage/redis/redis-address.ts';
import { RedisBus } from '../../../services/shared/storage/redis/redis-bus.ts';

export interface SharedStores {
  readonly mongodbUri: string;
  readonly redisUrl: string;
}

const fileIn = (folder: string): string => join(folder, 'stores.json');

/** Notes them in the folder. */
export function noteSharedStores(folder: string, stores: SharedStores): void {
  writeFileSync(fileIn(folder), JSON.stringify(stores));
}

/** Settings by which a command reaches the stores of a server with this folder, embedded ones or shared ones. */
export function storeSettings(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(fileIn(folder))) return { DATA_DIR: folder };
  const { mongodbUri, redisUrl } = readStores(folder);
  const secrets = join(folder, 'secrets.json');
  return { DATA_DIR: folder, MONGODB_URI: mongodbUri, REDIS_URL: redisUrl, SECRETS_FILE: secrets };
}

const readStores = (folder: string): SharedStores => JSON.parse(readFileSync(fileIn(folder), 'utf8'));

/** Those of the folder, telling the processes of each write; null when none are noted there. */
export async function openSharedDocuments(folder: string): Promise<DocumentStore | null> {
  if (!existsSync(fileIn(folder))) return null;
  const { mongodbUri, redisUrl } = readStores(folder);
  const connection = await openConnection(mongodbUri, { appName: 'tidegate test' });
  const bus = new RedisBus({ address: parseRedisUrl(redisUrl), onConnection: () => undefined });
  await bus.connected();
  const documents = publishWrites(createMongodbDocumentStore({ connection, clock: systemClock }), bus);
  return {
    ...documents,
    async close() {
      await bus.close();
      await documents.close();
    },
  };
}
