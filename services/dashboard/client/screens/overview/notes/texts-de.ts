/** Annotations, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  title: 'Anmerkungen',
  none: 'Noch nichts angemerkt. Was Sie hier schreiben, steht auch an der Linie.',
  day: 'Tag',
  text: 'Was geschah',
  shared: 'Für alle in der Organisation',
  sharedMark: 'geteilt',
  add: 'Hinzufügen',
  remove: (text) => `Löschen: ${text}`,
  most: 'Ältere stehen hier nicht.',
};
