/** The palette and the help of keys, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  palette: 'Gehe zu',
  field: 'Seite oder Website',
  none: 'Nichts heißt so.',
  sql: 'SQL',
  sharing: 'Teilen',
  ingest: 'Empfangene Ereignisse',
  requests: 'Anfragen im Verlauf',
  explain: 'Was eine Anfrage trifft',
  help: 'Tasten',
  singleKeys: 'Einzelne Tasten tun etwas',
  singleKeysHint: 'Aus: nur Strg oder Cmd mit K öffnet die Liste.',
  key: 'Taste',
  act: 'Was sie tut',
  keys: {
    'Ctrl K': 'öffnet die Liste aller Seiten und Websites',
    '?': 'zeigt diese Hilfe',
    '/': 'geht zur Suche der Liste',
    '← →': 'zeigt den Zeitraum davor oder danach',
    f: 'fügt einen Filter hinzu',
    r: 'fragt noch einmal',
  },
  goes: (place) => `geht zu: ${place}`,
};
