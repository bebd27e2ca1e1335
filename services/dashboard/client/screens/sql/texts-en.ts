/** Custom SQL, in English. */

export const en = {
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
