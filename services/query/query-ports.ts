/** What the query service needs from outside. */
import type { Clock } from '../shared/ports/clock.ts';
import type { DocumentStore } from '../shared/ports/document-store.ts';
import type { EventStore } from '../shared/ports/event-store.ts';
import type { ParquetFiles } from '../shared/ports/parquet-files.ts';
import type { CustomSql } from './custom/custom-sql.ts';

/** What a query must know about a short link: its website, or null when it belongs to the organization itself. */
export interface LinkOwner {
  readonly websiteId: string | null;
}

/** The link of an organization with this identifier; null when there is none. */
export type FindLink = (organizationId: string, linkId: string) => Promise<LinkOwner | null>;

export interface QueryPorts {
  readonly events: EventStore;
  readonly documents: DocumentStore;
  readonly clock: Clock;
  /** Runs custom queries; whoever created it closes it. */
  readonly customSql: CustomSql;
  /** Makes files of answers; whoever created it closes it. */
  readonly parquet: ParquetFiles;
  /** Absent: there are no short links, and every link_id is out of reach. */
  readonly findLink?: FindLink;
}
