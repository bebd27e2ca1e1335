/** Dataset: sessions by channel. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { entryText } from '../../catalogue/session-entry.ts';
import { sessionList } from '../../catalogue/session-list.ts';

export const sessionChannels: Dataset = sessionList({
  name: 'session_channels',
  of: 'channel',
  dimension: entryText('name', 'channel'),
});
