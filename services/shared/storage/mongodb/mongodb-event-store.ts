/** Placeholder. */
import type { Connection } from 'mongoose';
import type { Clock } from '../../ports/clock.ts';
import type { EventExporter } from '../../ports/event-export.ts';
import type { EventStore } from '../../ports/event-store.ts';
export interface MongodbEventStore extends EventStore {
  exporter: EventExporter;
}
export function createMongodbEventStore(_: {
  connection: Connection;
  clock: Clock;
  exportDirectory: string;
}): Promise<MongodbEventStore> {
  throw new Error('placeholder');
}
