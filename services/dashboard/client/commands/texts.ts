/** The palette and the help of keys, in every language. */
import { screenTexts } from '../texts/screen-texts.ts';

const en = {
  palette: 'Go to',
  field: 'Screen or website',
  none: 'Nothing is called so.',
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

const de: typeof en = {
  palette: 'Gehe zu',
  field: 'Seite oder Website',
  none: 'Nichts heißt so.',
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

/** In the language that the pages speak. */
export const commandTexts = screenTexts({ en, de });
