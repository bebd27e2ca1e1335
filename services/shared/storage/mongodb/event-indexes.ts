/** The indexes of events. */
import { EVENT_COLLECTION } from './event-document.ts';
import type { IndexDeclaration } from './indexes.ts';

export const EVENT_INDEXES: readonly IndexDeclaration[] = [
  {
    collection: EVENT_COLLECTION,
    name: 'website_timestamp',
    key: { website_id: 1, timestamp: 1 },
    comment: 'every query of a website; the shard key',
  },
  {
    collection: EVENT_COLLECTION,
    name: 'organization_timestamp',
    key: { organization_id: 1, timestamp: 1 },
    comment: "events of an organization without a website, an organization's short links, and retention",
  },
];
