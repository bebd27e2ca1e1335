/** Dataset: sessions by the host that they came from. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { entryText } from '../../catalogue/session-entry.ts';
import { sessionList } from '../../catalogue/session-list.ts';

export const sessionReferrers: Dataset = sessionList({
  name: 'session_referrers',
  of: 'host of the referrer',
  dimension: entryText('name', 'session_referrer'),
});
