/** Annotations, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  title: 'Anmerkungen',
  none: 'Noch nichts angemerkt.',
  noneHint: 'Was Sie hier schreiben, steht auch an der Linie.',
  day: 'Tag',
  text: 'Was geschah',
  shared: 'Für alle in der Organisation',
  sharedMark: 'geteilt',
  add: 'Hinzufügen',
  remove: (text) => `Löschen: ${text}`,
  removeTitle: 'Diese Anmerkung löschen?',
  removeHint: 'Sie steht dann nicht mehr an der Linie.',
  most: 'Ältere stehen hier nicht.',
};
