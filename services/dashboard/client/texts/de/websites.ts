/** Die Liste der Websites. */
import type { Texts } from '../pattern.ts';

export const websites: Texts['websites'] = {
  lead: 'Die letzten 24 Stunden jeder Website.',
  numbers: 'Besucher und Seitenaufrufe',
  definition:
    'Besucher sind verschiedene Besucher, Seitenaufrufe die Seiten, die sie geöffnet haben, in den 24 Stunden bis jetzt. Die Linie zeigt die Besucher je Stunde; Stunden, die nur zum Teil in diesen 24 liegen, sind gestrichelt. Erklärte Crawler zählen nicht.',
  add: 'Neue Website',
  settings: 'Einstellungen',
  visitors: 'Besucher',
  pageviews: 'Seitenaufrufe',
  search: 'Nach Name oder Domain suchen',
  sort: 'Reihenfolge',
  sorts: { name: 'Nach Name', '-createdAt': 'Neueste zuerst', domain: 'Nach Domain' },
  noneFound: 'Keine Website passt zur Suche',
  searchGoesOn: 'Die Suche hat noch nicht alle Websites angesehen. Sie geht auf der nächsten Seite weiter.',
  lastEvent: (ago: string) => `Letztes Ereignis ${ago}`,
  someEvent: 'Ereignisse in den letzten 24 Stunden',
  silent: 'Kein Ereignis in den letzten 24 Stunden',
  install: 'Tracking einrichten',
  hours: (least: string, most: string, at: string) =>
    `Besucher je Stunde: zwischen ${least} und ${most}, die meisten um ${at}.`,
  noVisitors: 'Keine Besucher in den letzten 24 Stunden.',
  firstRun: {
    title: 'Legen Sie Ihre erste Website an',
    lead: 'Geben Sie ihr einen Namen, fügen Sie ihren Seiten eine Zeile hinzu, und sehen Sie den ersten Besucher kommen.',
    create: 'Website anlegen',
    ask: 'Ihre Rolle darf keine anlegen. Bitten Sie einen Inhaber oder Administrator der Organisation.',
  },
  deleted: 'Die Website ist gelöscht. Was zu ihr gehörte, wird gerade entfernt.',
};
