/** Dataset: sessions by utm_content. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { entryText } from '../../catalogue/session-entry.ts';
import { sessionList } from '../../catalogue/session-list.ts';

export const sessionUtmContents: Dataset = sessionList({
  name: 'session_utm_contents',
  of: 'utm_content',
  dimension: entryText('name', 'session_utm_content'),
});
