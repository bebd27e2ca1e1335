/** Custom SQL, in English. */
import { plural } from '../../texts/format.ts';

export const en = {
  title: (website: string) => `SQL over ${website}`,
  lead: 'One SELECT in the SQL of DuckDB, or datasets of the catalogue, over the days that you choose.',
  way: 'Ask by',
  ways: { sql: 'SQL', datasets: 'Datasets' },
  parameterHint: 'A number, true, false, null or a list in [ ], as JSON has them; anything else is a text.',
  form: 'Shown as',
  forms: { table: 'Table', line: 'Line' },
  column: 'Column',
  left: (left: string, limit: string, renewed: string) =>
    `${left} of ${limit} are left of the limit with least left; it begins anew ${renewed}.`,
  dataset: 'Dataset',
  add: 'Add',
  isPicked: 'It is shown already.',
  notOffered: (name: string) => `There is no dataset “${name}” that is asked by its name alone.`,
  remove: (name: string) => `Remove ${name}`,
  noRows: 'No rows in these days.',
  back: 'Overview',
  query: 'Query',
  from: 'From',
  to: 'To',
  run: 'Run',
  views: 'Views and columns',
  result: 'Result',
  rows: (rows: number, milliseconds: string) => `${plural(rows, 'row', 'rows')} in ${milliseconds} ms.`,
  cut: 'There are more; ask for fewer, or group them.',
  link: 'SQL',
};
