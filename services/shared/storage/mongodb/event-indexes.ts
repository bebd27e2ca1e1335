/** The indexes of events and of their ids. */
import { REPEAT_WINDOW_MS } from '../event-id-window.ts';
import { EVENT_COLLECTION } from './event-document.ts';
import { EVENT_ID_COLLECTION } from './event-ids.ts';
import type { IndexDeclaration } from './indexes.ts';

/** Of a website by time. */
export const BY_TIME_INDEX = 'website_timestamp';
/** Of a partition as they arrive. */
export const ARRIVALS_INDEX = 'arrivals';

export const EVENT_INDEXES: readonly IndexDeclaration[] = [
  {
    collection: EVENT_COLLECTION,
    name: BY_TIME_INDEX,
    key: { website_id: 1, timestamp: 1 },
    comment: 'first segments of a website, erasure, and what is known of a person; the shard key',
  },
  {
    collection: EVENT_COLLECTION,
    name: 'organization_timestamp',
    key: { organization_id: 1, timestamp: 1 },
    comment: "erasure of an organization's events, and what is known of a person",
  },
  {
    collection: EVENT_COLLECTION,
    name: ARRIVALS_INDEX,
    key: { website_id: 1, organization_id: 1, writer: 1, sequence: 1 },
    comment: 'what was stored of a partition since it was last read',
  },
  {
    collection: EVENT_COLLECTION,
    name: 'website_visitor',
    key: { website_id: 1, anonymous_id: 1 },
    comment: 'erasure of a visitor, and what is known of a person',
  },
  {
    collection: EVENT_ID_COLLECTION,
    name: 'at_expiry',
    key: { at: 1 },
    // An hour more than the window: the store itself compares instants, and no clock is exact.
    expireAfterSeconds: REPEAT_WINDOW_MS / 1000 + 3_600,
    comment: 'ids of events leave when their repeats are no longer looked for',
  },
];
