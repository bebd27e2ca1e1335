/** Dataset: sessions by utm_campaign. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { entryText } from '../../catalogue/session-entry.ts';
import { sessionList } from '../../catalogue/session-list.ts';

export const sessionUtmCampaigns: Dataset = sessionList({
  name: 'session_utm_campaigns',
  of: 'utm_campaign',
  dimension: entryText('name', 'session_utm_campaign'),
});
