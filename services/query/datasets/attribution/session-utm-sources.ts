/** Dataset: sessions by utm_source. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { entryText } from '../../catalogue/session-entry.ts';
import { sessionList } from '../../catalogue/session-list.ts';

export const sessionUtmSources: Dataset = sessionList({
  name: 'session_utm_sources',
  of: 'utm_source',
  dimension: entryText('name', 'session_utm_source'),
});
