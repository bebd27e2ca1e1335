/** What the query service needs from outside. */
import type { Clock } from '../shared/ports/clock.ts';
import type { DocumentStore } from '../shared/ports/document-store.ts';
import type { EventStore } from '../shared/ports/event-store.ts';
import type { CustomSql } from './custom/custom-sql.ts';

export interface QueryPorts {
  readonly events: EventStore;
  readonly documents: DocumentStore;
  readonly clock: Clock;
  /** Runs custom queries; closed by who made it. */
  readonly customSql: CustomSql;
}
