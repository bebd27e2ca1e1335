/** The datasets about where visitors come from, in the order that clients see. */
import type { Dataset } from '../../catalogue/dataset.ts';
import { topReferrers } from './top-referrers.ts';
import { traffic } from './traffic.ts';
import { trafficSources } from './traffic-sources.ts';
import { utmCampaigns } from './utm-campaigns.ts';
import { utmContent } from './utm-content.ts';
import { utmMediums } from './utm-mediums.ts';
import { utmSources } from './utm-sources.ts';
import { utmTerms } from './utm-terms.ts';

export const trafficDatasets: readonly Dataset[] = [
  traffic,
  topReferrers,
  trafficSources,
  utmSources,
  utmMediums,
  utmCampaigns,
  utmTerms,
  utmContent,
];
