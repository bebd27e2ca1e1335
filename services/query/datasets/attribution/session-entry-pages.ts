/** Dataset: sessions by the page that they enter by. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { pageOfSession } from '../../catalogue/dimensions.ts';
import { sessionList } from '../../catalogue/session-list.ts';

export const sessionEntryPages: Dataset = sessionList({
  name: 'session_entry_pages',
  of: 'path',
  dimension: pageOfSession('name', 'first'),
});
