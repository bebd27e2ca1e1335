/** What opening the stores takes, and what it gives: the same for files and for a database. */
import type { Logger } from 'pino';
import type { Clock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import type { EventExporter } from '../../../services/shared/ports/event-export.ts';
import type { EventStore } from '../../../services/shared/ports/event-store.ts';
import type { Metrics } from '../../../services/shared/ports/metrics.ts';
import type { AnswerStatus } from '../../../services/shared/storage/answers/remembered-answers.ts';
import type { BuildStatus } from '../../../services/shared/storage/columns/build-process/build-progress.ts';
import type { Compactor } from '../../../services/shared/storage/duckdb/compaction/compactor.ts';
import type { EventCopier } from '../../../services/shared/storage/duckdb/duckdb-event-store.ts';

export interface DocumentOptions {
  /** The file of the embedded store. */
  readonly path: string;
  /** Whether this process creates what is missing: the file, or the schema of the database. Others require it to exist, or do not start. */
  readonly isOwner: boolean;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** What counters need of their process. */
export interface CounterPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Runs work while no other process that has the store open runs any. */
export type Exclusively = <T>(work: () => Promise<T>) => Promise<T>;

/** A document store, and what only one of the processes that have it open does at a time. */
export interface OpenStore {
  readonly store: DocumentStore;
  readonly exclusively: Exclusively;
}

export interface EventOptions {
  /** The file of the embedded store; copies of rows for custom queries are kept in its folder too. */
  readonly path: string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

export interface OpenEvents {
  readonly events: EventStore;
  /** Copies rows of a website for custom queries. */
  readonly exporter: EventExporter;
  /** Sorts the file in the background; null where the database keeps its own order. */
  readonly compactor: Compactor | null;
  /** Copies the file while it is in use; null where a database holds the events. */
  readonly copier: EventCopier | null;
  /** How many events are waiting to be committed. */
  readonly waitingEvents: () => number;
  /** Opens what queries need, where that takes a while. */
  readonly warmUp: () => void;
  /** What this process does to build columns. */
  readonly builds: () => BuildStatus;
  /** What it remembers of answers. */
  readonly answers: () => AnswerStatus;
}
