/** Die Liste der Websites. */
import type { Texts } from '../pattern.ts';

export const websites: Texts['websites'] = {
  lead: 'Jede Website über dieselbe Zeit, neben der Zeit davor.',
  numbers: 'Besucher und Seitenaufrufe',
  definition:
    'Besucher sind verschiedene Besucher, Seitenaufrufe die Seiten, die sie geöffnet haben. Verglichen wird mit ebenso viel der Zeit davor. Die Linie zeigt die Besucher je Stunde oder Tag; was nicht vorbei ist oder nur zum Teil im Zeitraum liegt, ist gestrichelt. Die Summen sind die der Organisation: Wer zwei Websites besucht, zählt einmal. Erklärte Crawler zählen nicht. Bis zu neun angeheftete Websites stehen in diesem Browser auf ihrer Seite vorn; eine zehnte nimmt den Platz der ältesten ein.',
  all: 'Alle Websites',
  totals: { visitors: 'Besucher', pageviews: 'Seitenaufrufe', sessions: 'Sitzungen' },
  pin: 'Anheften:',
  add: 'Neue Website',
  settings: 'Einstellungen',
  search: 'Nach Name oder Domain suchen',
  sort: 'Reihenfolge',
  sorts: { name: 'Nach Name', '-createdAt': 'Neueste zuerst', domain: 'Nach Domain' },
  noneFound: 'Keine Website passt zur Suche',
  searchGoesOn: 'Die Suche hat noch nicht alle Websites angesehen. Sie geht auf der nächsten Seite weiter.',
  lastEvent: (ago: string) => `Letztes Ereignis ${ago}`,
  someEvent: 'Ereignisse in diesem Zeitraum',
  silent: 'Kein Ereignis in diesem Zeitraum',
  install: 'Tracking einrichten',
  hours: (least: string, most: string, at: string) =>
    `Besucher je Stunde: zwischen ${least} und ${most}, die meisten um ${at}.`,
  days: (least: string, most: string, day: string) =>
    `Besucher je Tag: zwischen ${least} und ${most}, die meisten am ${day}.`,
  noVisitors: 'Keine Besucher in diesem Zeitraum.',
  firstRun: {
    title: 'Legen Sie Ihre erste Website an',
    lead: 'Geben Sie ihr einen Namen, fügen Sie ihren Seiten eine Zeile hinzu, und sehen Sie den ersten Besucher kommen.',
    create: 'Website anlegen',
    ask: 'Ihre Rolle darf keine anlegen. Bitten Sie einen Inhaber oder Administrator der Organisation.',
  },
  deleted: 'Die Website ist gelöscht. Was zu ihr gehörte, wird gerade entfernt.',
};
