/** Identifiers as a port: a readable prefix and a sortable tail (contract.md section 1). */
import { monotonicFactory } from 'ulid';

/** The kinds of thing that carry an identifier. */
export type IdPrefix =
  | 'org'
  | 'usr'
  | 'mem'
  | 'key'
  | 'web'
  | 'lnk'
  | 'flg'
  | 'tgt'
  | 'int'
  | 'aud'
  | 'ses'
  | 'inv'
  | 'cln';

export interface Ids {
  /** A new identifier such as `web_01k3…`; later ones sort after earlier ones. */
  create(prefix: IdPrefix): string;
}

/** Identifiers of ULIDs in lower case. */
export function createIds(): Ids {
  const ulid = monotonicFactory();
  return { create: (prefix) => `${prefix}_${ulid().toLowerCase()}` };
}
