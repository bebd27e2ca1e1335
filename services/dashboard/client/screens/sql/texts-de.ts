/** Custom SQL, in German. */
import { plural } from '../../texts/format.ts';
import type { en } from './texts-en.ts';

export const de: typeof en = {
  title: (website: string) => `SQL über ${website}`,
  lead: 'Ein SELECT im SQL von DuckDB, oder Datensätze des Katalogs, über die gewählten Tage.',
  way: 'Fragen mit',
  ways: { sql: 'SQL', datasets: 'Datensätze' },
  parameterHint:
    'Eine Zahl, true, false, null oder eine Liste in [ ], wie in JSON; alles andere ist ein Text.',
  form: 'Gezeigt als',
  forms: { table: 'Tabelle', line: 'Linie' },
  column: 'Spalte',
  left: (left: string, limit: string, renewed: string) =>
    `${left} von ${limit} sind vom knappsten Limit übrig; es beginnt neu ${renewed}.`,
  dataset: 'Datensatz',
  add: 'Hinzufügen',
  isPicked: 'Er wird schon gezeigt.',
  notOffered: (name: string) => `Es gibt keinen Datensatz „${name}“, der allein mit dem Namen gefragt wird.`,
  remove: (name: string) => `${name} entfernen`,
  noRows: 'In diesen Tagen keine Zeilen.',
  back: 'Übersicht',
  query: 'Abfrage',
  from: 'Von',
  to: 'Bis',
  run: 'Ausführen',
  views: 'Sichten und Spalten',
  result: 'Ergebnis',
  rows: (rows, milliseconds) => `${plural(rows, 'Zeile', 'Zeilen')} in ${milliseconds} ms.`,
  cut: 'Es gibt mehr; fragen Sie nach weniger oder gruppieren Sie.',
  link: 'SQL',
};
