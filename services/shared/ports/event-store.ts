/** The port of events: durable appends, and reads of compiled queries. */
import type { EventRecord } from '../model/event-record.ts';
import type { ProfileEvents } from './profile-events.ts';

/** A query as `POST /v1/query/compile` shows it: one SELECT over `events`, whose values are all parameters. */
export interface CompiledQuery {
  readonly engine: 'duckdb';
  readonly sql: string;
  readonly params: Readonly<Record<string, SqlValue>>;
}

/** A parameter of a compiled query. Lists are lists of text or of integers (instants in epoch milliseconds). */
export type SqlValue = string | number | boolean | null | readonly string[] | readonly number[];

/** A row of counts, integer sums, instants in epoch milliseconds and texts; never a fraction. */
export type RawRow = Readonly<Record<string, string | number | boolean | null>>;

/** The outcome of an append. */
export interface AppendOutcome {
  /** The positions of events that were not stored again, because their `event_id` is stored already, ascending. */
  readonly repeats: readonly number[];
}

/** The outcome of an append without repeats. */
export const NO_REPEATS: AppendOutcome = { repeats: [] };

/** Which events are erased: all of an organization, of one of its websites, or of one visitor there. */
export interface EventSelection {
  readonly organizationId: string;
  /** Null: any website, and none. */
  readonly websiteId: string | null;
  /** Null: any sender. */
  readonly anonymousId: string | null;
  /** Only events before this instant, in milliseconds since the epoch; absent: all. */
  readonly before?: number;
  /** Only events of this person; null: only those that name nobody; absent: any. */
  readonly profileId?: string | null;
  /** Only events of these visitors; absent: any. */
  readonly visitors?: readonly string[];
}

/** The events that a query may read; an answer may lack others. */
export interface EventReach {
  readonly organizationId: string;
  readonly websiteIds: readonly string[];
  /** Whether the organization's events without a website are read too. */
  readonly organizationEvents: boolean;
  /** Only those at these instants, in epoch milliseconds: from `from` on, before `to`; null: at any. */
  readonly range: { readonly from: number; readonly to: number } | null;
}

/** What a query reads, and for how long. */
export interface EventRead {
  readonly reach: EventReach;
  /** Ends it early, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Removes events for good. */
export interface EventEraser {
  /**
   * Erases every event of the selection that was acknowledged before the call, and resolves with their number when they
   * are gone for good. Appends continue meanwhile. It works in steps: when one fails, a part is erased, and the call may
   * be repeated. Repeating a complete erasure finds nothing. The number may lack events that were going cold when the
   * process that moved them died.
   * `signal`: ends it between two steps. @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason
   */
  erase(selection: EventSelection, signal?: AbortSignal): Promise<number>;
}

/** Keeps events: everything but queries. */
export interface EventKeeper extends EventEraser {
  /** What the events say about people. */
  readonly profileEvents: ProfileEvents;
  /**
   * Resolves when every event is durable (survives kill -9): all of them or, when it rejects, none. An event whose
   * `event_id` was stored for the same website, else organization, within the last 24 hours is not stored again. This is
   * exact for the newest ids, as many as the store keeps: after a restart, inside one append and among parallel appends
   * (which of them is stored is open; each resolves only when that one is durable).
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  append(events: readonly EventRecord[]): Promise<AppendOutcome>;
  /**
   * Those events that {@link append} would leave out now because their `event_id` is already stored; repeats within
   * `events` themselves do not count. Stores nothing. @throws ApiError SERVICE_UNAVAILABLE
   */
  findRepeats(events: readonly EventRecord[]): Promise<readonly boolean[]>;
  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  /** Finishes the accepted work, then closes. */
  close(): Promise<void>;
}

export interface EventStore extends EventKeeper {
  /**
   * The rows of a compiled query over the events of `reach`; ends early with the signal's reason. Queries of one
   * organization never block those of others. @throws ApiError SERVICE_UNAVAILABLE
   */
  run(query: CompiledQuery, read: EventRead): Promise<readonly RawRow[]>;
}
