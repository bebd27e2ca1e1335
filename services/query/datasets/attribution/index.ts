/** The datasets of what sessions came by, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { sessionChannels } from './session-channels.ts';
import { sessionEntryPages } from './session-entry-pages.ts';
import { sessionReferrers } from './session-referrers.ts';
import { sessionSources } from './session-sources.ts';
import { sessionUtmCampaigns } from './session-utm-campaigns.ts';
import { sessionUtmContents } from './session-utm-contents.ts';
import { sessionUtmMediums } from './session-utm-mediums.ts';
import { sessionUtmSources } from './session-utm-sources.ts';
import { sessionUtmTerms } from './session-utm-terms.ts';

export const attributionDatasets: readonly Dataset[] = [
  sessionChannels,
  sessionSources,
  sessionReferrers,
  sessionUtmSources,
  sessionUtmMediums,
  sessionUtmCampaigns,
  sessionUtmTerms,
  sessionUtmContents,
  sessionEntryPages,
];
