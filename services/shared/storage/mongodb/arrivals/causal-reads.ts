/** Reads that follow one another: each sees at least what those before it saw, as far as the server offers it. */
import type { mongo } from 'mongoose';

/** What a server says of itself. */
interface Greeting {
  readonly setName?: string;
  readonly msg?: string;
  readonly logicalSessionTimeoutMinutes?: number | null;
}

/** What a read passes on to the driver. */
export interface ReadOptions {
  readonly readPreference: 'primary';
  readonly readConcern?: { readonly level: 'majority' };
  readonly session?: mongo.ClientSession;
}

/**
 * Reads from the primary. Of a replica set, or a sharded cluster, they see what a majority holds. Where the server has
 * sessions, each read waits until the primary has reached the time of the latest read before it: an election between
 * the two takes nothing back.
 */
export class CausalReads {
  readonly #client: mongo.MongoClient;
  readonly #database: mongo.Db;
  #server: Promise<Greeting> | null = null;
  /** The times of the latest read. */
  #latest: { readonly operation: mongo.Timestamp; readonly cluster: mongo.ClusterTime } | null = null;

  constructor(client: mongo.MongoClient, database: mongo.Db) {
    this.#client = client;
    this.#database = database;
  }

  /** What this server offers: read concern majority, sessions. */
  async offered(): Promise<{ readonly isMajority: boolean; readonly hasSessions: boolean }> {
    const { setName, msg, logicalSessionTimeoutMinutes } = await this.#greeting();
    const isMajority = setName !== undefined || msg === 'isdbgrid';
    return { isMajority, hasSessions: typeof logicalSessionTimeoutMinutes === 'number' };
  }

  /** Runs a read with these options, to its last row. */
  async *run<R>(read: (options: ReadOptions) => AsyncIterable<R>): AsyncGenerator<R, void, undefined> {
    const { isMajority, hasSessions } = await this.offered();
    const session = hasSessions ? this.#begin() : undefined;
    try {
      yield* read({
        readPreference: 'primary',
        ...(isMajority ? { readConcern: { level: 'majority' } } : {}),
        ...(session ? { session } : {}),
      });
    } finally {
      if (session) await this.#end(session);
    }
  }

  #begin(): mongo.ClientSession {
    const session = this.#client.startSession({ causalConsistency: true });
    if (this.#latest) {
      session.advanceClusterTime(this.#latest.cluster);
      session.advanceOperationTime(this.#latest.operation);
    }
    return session;
  }

  async #end(session: mongo.ClientSession): Promise<void> {
    const { operationTime: operation, clusterTime: cluster } = session;
    const isLater = this.#latest === null || operation?.greaterThan(this.#latest.operation);
    if (operation && cluster && isLater) this.#latest = { operation, cluster };
    await session.endSession();
  }

  /** By the older name of the command, which every server knows; asked once. */
  #greeting(): Promise<Greeting> {
    this.#server ??= this.#database
      .admin()
      .command({ isMaster: 1 })
      .catch((fault: unknown) => {
        this.#server = null;
        throw fault;
      });
    return this.#server;
  }
}
