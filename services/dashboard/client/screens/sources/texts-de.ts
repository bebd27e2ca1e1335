/** Where visits of a website come from, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  tabs: {
    channels: 'Kanäle',
    sources: 'Quellen',
    referrers: 'Verweisende Hosts',
    campaigns: 'Kampagnen',
    entries: 'Einstiegsseiten',
  },
  names: {
    channels: 'Kanal',
    sources: 'Quelle',
    referrers: 'Host',
    campaigns: 'Wert',
    entries: 'Einstiegsseite',
  },
  lists: {
    channels: 'Wege, auf denen Sitzungen kamen, etwa Suche oder E-Mail, nach ihrer ersten Seite.',
    sources: 'utm_source der ersten Seite jeder Sitzung, sonst der Host, der zu ihr führte.',
    referrers: 'Andere Websites, deren Links zu einer Sitzung führten.',
    campaigns: 'Was der Link zur ersten Seite jeder Sitzung sagte. Unbekannt: Er sagte nichts.',
    entries: 'Die erste Seite jeder Sitzung.',
  },
  part: 'Teil der Kampagne',
  goal: 'Ziel',
  noGoal: 'keines',
};
