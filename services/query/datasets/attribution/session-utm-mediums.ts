/** Dataset: sessions by utm_medium. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { entryText } from '../../catalogue/session-entry.ts';
import { sessionList } from '../../catalogue/session-list.ts';

export const sessionUtmMediums: Dataset = sessionList({
  name: 'session_utm_mediums',
  of: 'utm_medium',
  dimension: entryText('name', 'session_utm_medium'),
});
