/** The names of what lies in DATA_DIR, so that server and command line agree on them. */
import { join } from 'node:path';

export interface DataPaths {
  /** The embedded document store. */
  readonly documents: string;
  /** The embedded event store. */
  readonly events: string;
  /** What was counted of quotas; absent until one counts. */
  readonly quotas: string;
  /** The secrets file, when SECRETS_FILE names no other. */
  readonly secrets: string;
  /** The socket through which the command line reaches a running server. */
  readonly operatorSocket: string;
  /** Holds a socket of each gateway that runs alone. */
  readonly gatewaySockets: string;
}

/** The paths below `dataDir` (absolute). */
export function dataPathsOf(dataDir: string): DataPaths {
  return {
    documents: join(dataDir, 'documents.sqlite'),
    events: join(dataDir, 'events.duckdb'),
    quotas: join(dataDir, 'quotas.sqlite'),
    secrets: join(dataDir, 'secrets.json'),
    operatorSocket: join(dataDir, 'admin.sock'),
    gatewaySockets: join(dataDir, 'gateways'),
  };
}
