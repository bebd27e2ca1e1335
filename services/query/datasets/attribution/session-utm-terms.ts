/** Dataset: sessions by utm_term. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { entryText } from '../../catalogue/session-entry.ts';
import { sessionList } from '../../catalogue/session-list.ts';

export const sessionUtmTerms: Dataset = sessionList({
  name: 'session_utm_terms',
  of: 'utm_term',
  dimension: entryText('name', 'session_utm_term'),
});
