/** A migration as a start does it: one process at a time, through an election of the database's servers. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { withLease } from './lease.ts';
import { type MigrationOptions, type MigrationReport, migrate, requireMigratable } from './migrate.ts';
import { isOutage } from './outage.ts';
import { requireAbilities } from './server-abilities.ts';

const MIGRATION_LEASE = 'migration';

/** How long the servers may be without a primary, in milliseconds; an election takes some 12 s at most. */
const ELECTION_MS = 60_000;
const PAUSE_MS = 500;

/**
 * Asks the server for what the stores rely on, then migrates, while no other process does. Goes on where a lost server interrupted it.
 * @throws Error as `migrate` and `requireAbilities` do, or the fault of a server that is lost for a minute
 */
export function migrateInTurn(
  connection: Connection,
  options: Omit<MigrationOptions, 'dryRun'> = {},
  electionMs = ELECTION_MS,
): Promise<MigrationReport> {
  const { told = () => undefined } = options;
  const patience = new Patience(told, electionMs);
  const steps = { ...options, told: (step: string) => patience.progress(step) };
  // Inside the lease too: a lease that could not be given back keeps everybody waiting until it expires.
  return patience.persist(async () => {
    // Before the lease and the probes are written: the database may be another product's.
    await requireMigratable(connection, options);
    return withLease(connection, MIGRATION_LEASE, () =>
      patience.persist(async () => {
        await requireAbilities(connection);
        return migrate(connection, steps);
      }),
    );
  });
}

/** Tries again while servers are lost, until the bound is over without a new step. */
class Patience {
  readonly #told: (step: string) => void;
  readonly #boundMs: number;
  readonly #made = new Set<string>();
  #lostSince: number | null = null;

  constructor(told: (step: string) => void, boundMs: number) {
    this.#told = told;
    this.#boundMs = boundMs;
  }

  /** A step that was not reached before shows that the servers were there. */
  progress(step: string): void {
    if (!this.#made.has(step)) this.#lostSince = null;
    this.#made.add(step);
    this.#told(step);
  }

  async persist<R>(work: () => Promise<R>): Promise<R> {
    for (;;) {
      try {
        return await work();
      } catch (fault) {
        if (!(fault instanceof Error) || !isOutage(fault)) throw fault;
        const now = performance.now();
        this.#lostSince ??= now;
        if (now - this.#lostSince >= this.#boundMs) throw fault;
        this.#told(`the database does not answer (${fault.message}): trying again`);
        await pause(PAUSE_MS);
      }
    }
  }
}
