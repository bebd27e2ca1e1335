/** Was auf einer Website jetzt geschieht. */
import type { Texts } from '../pattern.ts';

export const now: Texts['now'] = {
  title: (website) => `${website} jetzt`,
  lead: 'Die letzten fünf Minuten und die halbe Stunde davor. Die Seite geht mit, solange Sie zusehen.',
  back: 'Übersicht',
  link: 'Was jetzt geschieht',
  people: 'In den letzten 5 Minuten',
  counts: {
    visitors: 'Besucher',
    sessions: 'Sitzungen',
    pageviews: 'Seitenaufrufe',
    total_events: 'Ereignisse',
  },
  halfHour: 'Seitenaufrufe der letzten 30 Minuten',
  halfHourInWords: (pageviews) =>
    `${pageviews === 1 ? '1 Seitenaufruf' : `${pageviews.toLocaleString('de')} Seitenaufrufe`} in den letzten 30 Minuten, Minute für Minute`,
  minute: 'Minute',
  lists: {
    pages: 'Seiten, die angesehen werden',
    sources: 'Woher Besucher kamen',
    countries: 'Wo Besucher sind',
  },
  names: { pages: 'Seite', sources: 'Quelle', countries: 'Land' },
  nobody: 'In den letzten 5 Minuten sah niemand eine Seite an.',
  asTheyCome: 'Ereignisse, wie sie kommen',
  time: 'Uhrzeit',
  event: 'Ereignis',
  device: 'Browser und Gerät',
  events: {
    screen_view: 'Seitenaufruf',
    page_exit: 'Seite verlassen',
    outgoing_link: 'Ausgehender Link',
    error: 'Fehler',
    web_vitals: 'Web Vitals',
  },
  noEvents: 'In den letzten 30 Minuten kam kein Ereignis.',
};
