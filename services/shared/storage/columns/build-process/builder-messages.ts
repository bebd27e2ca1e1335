/** The messages between a process that answers queries and the one that builds its segments. */
import type { Partition } from '../partition.ts';
import type { BuildStatus } from './build-progress.ts';

/** What the builder is given at its start: by message, as the URI may hold a password. */
export interface BuilderSettings {
  readonly uri: string;
  /** A folder on this machine; each builder takes one of its own within. */
  readonly directory: string;
  /** Memory of its engine, in megabytes. */
  readonly memoryMb: number;
  /** After so many days documents may leave; null: never. */
  readonly coldAfterDays: number | null;
  /** How often it looks at fresh events, in milliseconds; absent: its default. */
  readonly lookEveryMs?: number;
}

export type BuilderRequest =
  | { readonly kind: 'start'; readonly settings: BuilderSettings }
  | { readonly kind: 'ask'; readonly partition: Partition }
  /** Answered by `built` with the same number. */
  | { readonly kind: 'first'; readonly number: number; readonly partition: Partition }
  /** Nobody waits for `number` any more. */
  | { readonly kind: 'leave'; readonly number: number }
  | {
      readonly kind: 'damaged';
      readonly partition: Partition;
      readonly segment: string;
      readonly reason: string;
    }
  /** Ends it in order. */
  | { readonly kind: 'close' };

export type BuilderAnswer =
  /** Sent once, when it works. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'built'; readonly number: number }
  /** Sent about once a second while it changes. */
  | { readonly kind: 'status'; readonly status: BuildStatus }
  | {
      readonly kind: 'log';
      readonly level: 'info' | 'warn';
      readonly fields: Readonly<Record<string, unknown>>;
      readonly text: string;
    };
