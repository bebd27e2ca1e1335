/** What shares show, by names that people read, in every language. */
import { screenTexts } from '../texts/screen-texts.ts';

const en = {
  totals: 'Totals',
  series: 'Line over time',
  groups: {
    pages: 'Pages',
    referrers: 'Sources',
    places: 'Places',
    devices: 'Devices',
    campaigns: 'Campaigns',
    events: 'Events',
  },
  lists: {
    top_pages: 'Top pages',
    entry_pages: 'Entry pages',
    exit_pages: 'Exit pages',
    traffic_sources: 'Groups of sources',
    top_referrers: 'Referring hosts',
    countries: 'Countries',
    regions: 'Regions',
    cities: 'Cities',
    browser_name: 'Browsers',
    os_name: 'Systems',
    device_types: 'Device types',
    screen_resolutions: 'Screens',
    language: 'Languages',
    utm_sources: 'Campaign sources',
    utm_mediums: 'Mediums',
    utm_campaigns: 'Campaigns',
    utm_terms: 'Terms',
    utm_content: 'Contents',
    custom_events: 'Custom events',
  },
};

const de: typeof en = {
  totals: 'Summen',
  series: 'Verlauf als Linie',
  groups: {
    pages: 'Seiten',
    referrers: 'Quellen',
    places: 'Orte',
    devices: 'Geräte',
    campaigns: 'Kampagnen',
    events: 'Ereignisse',
  },
  lists: {
    top_pages: 'Meistgelesene Seiten',
    entry_pages: 'Einstiegsseiten',
    exit_pages: 'Ausstiegsseiten',
    traffic_sources: 'Gruppen von Quellen',
    top_referrers: 'Verweisende Hosts',
    countries: 'Länder',
    regions: 'Regionen',
    cities: 'Städte',
    browser_name: 'Browser',
    os_name: 'Systeme',
    device_types: 'Gerätetypen',
    screen_resolutions: 'Bildschirme',
    language: 'Sprachen',
    utm_sources: 'Quellen der Kampagnen',
    utm_mediums: 'Medien',
    utm_campaigns: 'Kampagnen',
    utm_terms: 'Suchbegriffe',
    utm_content: 'Inhalte',
    custom_events: 'Eigene Ereignisse',
  },
};

/** In the language that the pages speak. */
export const listTexts = screenTexts({ en, de });
