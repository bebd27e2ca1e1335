/** What a process that builds segments has of the database, over a connection of its own. */
import type { Connection, mongo } from 'mongoose';
import { ArrivalReader } from '../arrivals/arrival-reader.ts';
import { ColdDocuments } from '../arrivals/cold-documents.ts';
import { Leases } from '../lease.ts';
import { openConnection } from '../open-connection.ts';
import { SegmentFiles } from './segment-files.ts';
import { SegmentSets } from './segment-sets.ts';

/** Builds read and write one after the other, a few at once. */
const CONNECTIONS = 8;

export interface MongodbBuildPorts {
  readonly arrivals: ArrivalReader;
  readonly documents: ColdDocuments;
  readonly files: SegmentFiles;
  readonly sets: SegmentSets;
  readonly leases: Leases;
  close(): Promise<void>;
}

/** @throws Error that names hosts, never a password, when no server answers */
export async function openBuildPorts(uri: string): Promise<MongodbBuildPorts> {
  const connection = await openConnection(uri, { appName: 'tidegate segments', maxPoolSize: CONNECTIONS });
  return { ...buildPortsOver(connection), close: () => connection.close() };
}

/** The same over an open connection. */
export function buildPortsOver(connection: Connection): Omit<MongodbBuildPorts, 'close'> {
  const client = connection.getClient() as unknown as mongo.MongoClient;
  const database = client.db(connection.name);
  return {
    arrivals: new ArrivalReader(client, database),
    documents: new ColdDocuments(database),
    files: new SegmentFiles(database),
    sets: new SegmentSets(database),
    leases: new Leases(connection),
  };
}
