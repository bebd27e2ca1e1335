/** The port of events: durable appends, and reads of queries compiled for its engine. */
import type { EventRecord } from '../model/event-record.ts';

/** A query as its engine takes it: what `POST /v1/query/compile` shows. */
export type CompiledQuery =
  | { readonly engine: 'duckdb'; readonly sql: string; readonly params: Readonly<Record<string, SqlValue>> }
  | { readonly engine: 'mongodb'; readonly pipeline: readonly Readonly<Record<string, unknown>>[] };

/** A parameter of a compiled query. Lists are lists of text or of integers (instants in epoch milliseconds). */
export type SqlValue = string | number | boolean | null | readonly string[] | readonly number[];

/** A row of counts, integer sums, instants in epoch milliseconds and texts; never a fraction. */
export type RawRow = Readonly<Record<string, string | number | boolean | null>>;

/** What became of an append. */
export interface AppendOutcome {
  /** Events that were not stored again, because one of the same `event_id` is. */
  readonly repeated: number;
}

/** Which events are erased: all of an organization, of one of its websites, or of one visitor of these. */
export interface EventSelection {
  readonly organizationId: string;
  /** Null: whatever website they belong to, if any. */
  readonly websiteId: string | null;
  /** Null: whoever sent them. */
  readonly anonymousId: string | null;
  /** Of these only the events before this instant, in milliseconds since the epoch; absent: all. */
  readonly before?: number;
}

/** Removes events for good. */
export interface EventEraser {
  /**
   * Resolves when every event of the selection that was acknowledged before the call is gone for good; how many there
   * were. Appends go on meanwhile. It goes in steps: one that fails leaves a part erased, and may be asked again. What was erased may be asked again: nothing is there then.
   * `signal`: ends it between two steps. @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason
   */
  erase(selection: EventSelection, signal?: AbortSignal): Promise<number>;
}

export interface EventStore extends EventEraser {
  readonly engine: CompiledQuery['engine'];
  /**
   * Resolves when every event is durable (survives kill -9); all of them or, when it rejects, none. An event whose
   * `event_id` was stored for the same website, else organization, within the last 24 hours is not stored again: exact
   * for the newest ids, as many as the store keeps, also after a restart, inside one append and among parallel ones
   * (which of them is stored is open; each resolves only when that one is durable).
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  append(events: readonly EventRecord[]): Promise<AppendOutcome>;
  /**
   * The rows of a compiled query; ends early with the signal's reason. Queries of one `party`, such as an organization,
   * never keep those of others from running. @throws ApiError SERVICE_UNAVAILABLE
   */
  run(query: CompiledQuery, signal?: AbortSignal, party?: string): Promise<readonly RawRow[]>;
  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  /** Finishes what was accepted, then closes. */
  close(): Promise<void>;
}
