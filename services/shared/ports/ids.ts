/** Identifiers as a port: a readable prefix and a sortable tail (contract.md section 1). */
import { encodeTime, monotonicFactory } from 'ulid';
import type { IdPrefix } from '../model/collection-types.ts';

export interface Ids {
  /** A new identifier such as `web_01k3…`; later ones sort after earlier ones. */
  create(prefix: IdPrefix): string;
}

/** Characters of a ULID that tell its time. */
const TIME_LENGTH = 10;

/** Sorts after all identifiers that were created before an instant, in milliseconds since 1970, and before all others. */
export function firstIdAt(prefix: IdPrefix, atMs: number): string {
  return `${prefix}_${encodeTime(Math.max(0, atMs), TIME_LENGTH).toLowerCase()}`;
}

/** Identifiers of ULIDs in lower case. */
export function createIds(): Ids {
  const ulid = monotonicFactory();
  return { create: (prefix) => `${prefix}_${ulid().toLowerCase()}` };
}
