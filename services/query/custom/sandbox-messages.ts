/** The messages between the query service and the process of a custom query, one request at a time. */
import type { SqlValue } from '../../shared/ports/event-store.ts';
import type { SandboxBounds, SandboxResult } from '../../shared/storage/duckdb/sandbox-engine.ts';

/** Bounds of a sandbox's process, passed on its command line. */
export interface SandboxLimits {
  /** Memory of the whole process. */
  readonly memoryMb: number;
  readonly threads: number;
}

/** Memory of the process beyond what the engine manages: the runtime, its code and the answer. */
const RUNTIME_MB = 192;

export function engineMemoryMb({ memoryMb }: SandboxLimits): number {
  return memoryMb - RUNTIME_MB;
}

export type SandboxRequest =
  /** Judges a query and keeps it. */
  | { readonly kind: 'check'; readonly sql: string }
  /** Reads a copy of events. `statements` create the views over the table `table`. */
  | {
      readonly kind: 'load';
      readonly file: string;
      readonly table: string;
      readonly statements: readonly string[];
    }
  /** Runs the query that was judged last. */
  | {
      readonly kind: 'run';
      readonly params: Readonly<Record<string, SqlValue>>;
      readonly bounds: SandboxBounds;
    };

/** What a judged query uses. */
export interface CheckedQuery {
  readonly views: readonly string[];
  /** Names in lower case; null: any. */
  readonly columns: readonly string[] | null;
  readonly parameters: readonly string[];
}

export type SandboxAnswer =
  /** Sent once, unasked, as soon as requests can be answered. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'checked'; readonly query: CheckedQuery }
  | { readonly kind: 'loaded' }
  | { readonly kind: 'result'; readonly result: SandboxResult }
  | { readonly kind: 'failed'; readonly reason: FailureReason; readonly text: string };

/**
 * `query`: the text is for the client; `memory`: there was too little; `engine`: it broke on the query; `internal`: the
 * text is for the log.
 */
export type FailureReason = 'query' | 'memory' | 'engine' | 'internal';
