/** Die Übersicht einer Website. */
import type { Texts } from '../pattern.ts';
import { numbers } from './website-numbers.ts';

export const overview: Texts['overview'] = {
  ...numbers,
  custom: 'Andere Daten',
  badDates: 'Der letzte Tag liegt vor dem ersten, oder ein Datum fehlt.',
  before: 'Zeitraum davor',
  after: 'Zeitraum danach',
  granularity: 'Je',
  granularities: { minute: 'Minute', hourly: 'Stunde', daily: 'Tag', weekly: 'Woche', monthly: 'Monat' },
  definitions: {
    visitors:
      'Browser und Menschen, die im Zeitraum ein Ereignis gesendet haben; jeder zählt einmal, so oft er auch kam.',
    sessions: 'Besuche. Der Tracker beginnt einen neuen nach 30 Minuten ohne Ereignis und in jedem Tab.',
    pageviews: 'Geöffnete Seiten; dieselbe Seite zählt bei jedem Öffnen.',
    bounce: 'Sitzungen mit genau einem Seitenaufruf, in Prozent aller Sitzungen.',
    duration:
      'Vom ersten bis zum letzten Ereignis einer Sitzung im Zeitraum. Die Hälfte der Sitzungen dauerte länger, die Hälfte kürzer (Median).',
    depth: 'Seitenaufrufe geteilt durch Sitzungen.',
  },
  chartHint:
    'Mit den Pfeiltasten gehen Sie von Punkt zu Punkt, mit der Umschalttaste wählen Sie mehrere aus. Die Eingabetaste zeigt nur die gewählte Zeit.',
  chartHelp: 'Ziehen Sie über das Diagramm, oder wählen Sie einen Punkt, um genauer hinzusehen.',
  cut: 'nur teilweise im Zeitraum',
  noNumbers: 'Die Zahlen sind nicht gekommen.',
  dashed: 'Gestrichelt: Diese Zeit läuft noch oder liegt nur teilweise im Zeitraum.',
  active: (people: number) =>
    people === 1 ? '1 Besucher gerade da' : `${people.toLocaleString('de')} Besucher gerade da`,
  activeDefinition:
    'Besucher, die in den letzten fünf Minuten etwas getan haben. Die Zahl wird neu abgefragt, solange Sie hinsehen.',
  activeTerm: 'gerade da',
  sharing: 'Teilen',
  notes: 'Anmerkungen',
  measureBefore: (measure) => `${measure} vorher`,
  change: {
    title: 'Änderung',
    isNew: 'neu',
    before: (value) => `vorher: ${value}`,
  },
  only: (name) => `Nur ${name}`,
  fewer: 'Weniger zeigen',
  nothing: 'Nichts in diesem Zeitraum.',
  noEventHint: 'Setzen Sie das Snippet in Ihre Seiten, und die ersten Zahlen erscheinen hier in Sekunden.',
  lookEver: 'Im gesamten Zeitraum suchen',
  elsewhere: (count: string) => `Ereignisse außerhalb: ${count}.`,
  toSnippet: 'Snippet zeigen',
  map: (measure: string) => `${measure} nach Land, als Karte`,
  mapNone: 'keine',
  mapLegend: (from: string, to: string) => (from === to ? from : `${from} bis ${to}`),
};
