/**
 * The datasets that a share may show, as a list, so that a new one is shared only once somebody thought of it.
 *
 * Left out is what shows single people or what they wrote: sessions, visitors, profiles, single events, errors with their
 * messages, properties of events. So are ranges of their own (today, the last minutes), which no view bounds.
 */
import type { Dataset } from '../catalogue/dataset.ts';
import { DATASETS_BY_NAME } from '../datasets/index.ts';

const SHAREABLE: readonly string[] = [
  ...[
    'summary',
    'summary_metrics',
    'session_metrics',
    'sessions_time_series',
    'session_duration_distribution',
  ],
  ...['pages', 'top_pages', 'entry_pages', 'exit_pages', 'page_performance', 'page_time_analysis'],
  ...['traffic', 'top_referrers', 'traffic_sources'],
  ...['utm_sources', 'utm_mediums', 'utm_campaigns', 'utm_terms', 'utm_content'],
  ...['session_channels', 'session_sources', 'session_referrers', 'session_entry_pages'],
  ...['session_utm_sources', 'session_utm_mediums', 'session_utm_campaigns', 'session_utm_terms'],
  ...['session_utm_contents'],
  ...['browser_name', 'browsers', 'os_name', 'os_versions', 'device_types', 'screen_resolutions'],
  ...['timezone', 'language', 'countries', 'regions', 'cities', 'sessions_by_device', 'sessions_by_browser'],
  ...['engagement', 'scroll_depth_summary', 'performance', 'web_vitals', 'web_vitals_by_page'],
  ...['custom_events', 'custom_events_summary', 'custom_events_trends', 'custom_events_by_path'],
  ...['error_summary', 'errors_by_page', 'outbound_links', 'outbound_domains'],
];

/** By main name. */
export const SHAREABLE_DATASETS: ReadonlyMap<string, Dataset> = new Map(
  SHAREABLE.map((name) => {
    const dataset = DATASETS_BY_NAME.get(name);
    if (dataset === undefined) throw new Error(`No dataset is named ${name}.`);
    return [dataset.names[0], dataset];
  }),
);

/** The dataset of this name, main or not, if it may be shared. */
export function shareableDataset(name: string): Dataset | undefined {
  const dataset = DATASETS_BY_NAME.get(name);
  return dataset && SHAREABLE_DATASETS.get(dataset.names[0]);
}
