/** Custom SQL, in every language. */
import { screenTexts } from '../../texts/screen-texts.ts';

const en = {
  title: (website: string) => `SQL over ${website}`,
  lead: 'One SELECT over the events of the days that you choose, in the SQL of DuckDB. It changes nothing.',
  back: 'Overview',
  query: 'Query',
  from: 'From',
  to: 'To',
  run: 'Run',
  views: 'Views and columns',
  result: 'Result',
  rows: (rows: string, milliseconds: string) => `${rows} rows in ${milliseconds} ms.`,
  cut: 'There are more; ask for fewer, or group them.',
  link: 'SQL',
};

const de: typeof en = {
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

/** In the language that the pages speak. */
export const sqlTexts = screenTexts({ en, de });
