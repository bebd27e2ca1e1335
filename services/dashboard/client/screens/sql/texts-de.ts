/** Custom SQL, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  title: (website: string) => `SQL über ${website}`,
  lead: 'Ein SELECT über die Ereignisse der gewählten Tage, im SQL von DuckDB. Es ändert nichts.',
  back: 'Übersicht',
  query: 'Abfrage',
  from: 'Von',
  to: 'Bis',
  run: 'Ausführen',
  views: 'Sichten und Spalten',
  result: 'Ergebnis',
  rows: (rows: string, milliseconds: string) => `${rows} Zeilen in ${milliseconds} ms.`,
  cut: 'Es gibt mehr; fragen Sie nach weniger oder gruppieren Sie.',
  link: 'SQL',
};
