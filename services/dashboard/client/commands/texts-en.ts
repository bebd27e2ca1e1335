/** The palette and the help of keys, in English. */

export const en = {
  palette: 'Go to',
  field: 'Screen or website',
  none: 'Nothing is called so.',
  sql: 'SQL',
  sharing: 'Sharing',
  ingest: 'Received events',
  requests: 'Requests over time',
  explain: 'What a request meets',
  help: 'Keys',
  singleKeys: 'Single keys do something',
  singleKeysHint: 'Off: only Ctrl or Cmd with K opens the palette.',
  key: 'Key',
  act: 'What it does',
  keys: {
    'Ctrl K': 'opens the palette: every screen and website',
    '?': 'shows this help',
    '/': 'goes to the search of the list',
    '← →': 'shows the range before or after',
    f: 'adds a filter',
    r: 'asks again',
  },
  goes: (place: string) => `goes to: ${place}`,
};
