/** Was von den Limits übrig ist. */
import type { Texts } from '../pattern.ts';

export const limits: Texts['limits'] = {
  title: 'Limits jetzt',
  lead: 'Was von jedem Limit in diesem Augenblick übrig ist. Nachsehen verbraucht nichts davon.',
  limit: 'Limit',
  window: 'Zählt',
  per: (unit: string, window: string) => `${unit} je ${window}`,
  units: {
    requests: 'Anfragen',
    datasets: 'Auswertungen in Stapeln',
    events: 'Ereignisse in Stapeln',
    bytes: 'Bytes',
    seconds: 'Sekunden Laufzeit',
  },
  names: {
    plan: 'Tarif',
    'custom-sql': 'Eigene SQL-Abfragen',
    'custom-sql-seconds': 'Laufzeit eigener SQL-Abfragen',
    'batch-datasets': 'Stapelabfragen',
    'batch-events': 'Stapel von Ereignissen',
    usage: 'Aufrufe dieser Seite',
  },
  used: 'Verbraucht',
  left: 'Übrig',
  of: 'Von',
  resets: 'Neu',
  unused: 'Unbenutzt',
  yourSession: 'Ihre Sitzung',
  inShadow: 'zählt nur',
  usedUp: 'aufgebraucht',
  moreKeys: 'Limits einzelner Schlüssel stehen hier für die ersten 100 Schlüssel.',
  hint: 'Limits je Adresse stehen nicht hier: Die Kopfzeilen jeder Antwort nennen sie.',
  back: 'Tarif und Limits',
  now: 'Was davon jetzt übrig ist',
};
