/** Dataset: sessions by source: the utm_source, else the host of the referrer. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { entryText } from '../../catalogue/session-entry.ts';
import { sessionList } from '../../catalogue/session-list.ts';

export const sessionSources: Dataset = sessionList({
  name: 'session_sources',
  of: 'source',
  dimension: entryText('name', 'session_source'),
});
