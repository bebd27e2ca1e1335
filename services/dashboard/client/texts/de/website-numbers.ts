/** Zeiträume und Messwerte einer Website, wo immer ihre Zahlen stehen. */
import type { numbers as english } from '../en/website-numbers.ts';

export const numbers: typeof english = {
  range: 'Zeitraum',
  presets: {
    today: 'Heute',
    yesterday: 'Gestern',
    last_24h: 'Letzte 24 Stunden',
    last_7d: 'Letzte 7 Tage',
    last_14d: 'Letzte 14 Tage',
    last_28d: 'Letzte 28 Tage',
    last_30d: 'Letzte 30 Tage',
    last_90d: 'Letzte 90 Tage',
    last_6m: 'Letzte 6 Monate',
    last_12m: 'Letzte 12 Monate',
    this_week: 'Diese Woche (ab Sonntag)',
    last_week: 'Letzte Woche (ab Sonntag)',
    this_month: 'Dieser Monat',
    last_month: 'Letzter Monat',
    this_year: 'Dieses Jahr',
    all: 'Alle Zeit',
  },
  first: 'Erster Tag',
  last: 'Letzter Tag',
  apply: 'Anzeigen',
  refresh: 'Aktualisieren',
  measures: {
    visitors: 'Besucher',
    sessions: 'Sitzungen',
    pageviews: 'Seitenaufrufe',
    bounce: 'Absprungrate',
    duration: 'Mediandauer',
  },
  chart: (measure: string) => `${measure} im Zeitverlauf`,
  running: 'läuft noch',
  bucket: 'Zeit',
  devices: { desktop: 'Desktop', mobile: 'Mobil', tablet: 'Tablet', tv: 'Fernseher' },
};
