/** Annotations, in every language. */
import { screenTexts } from '../../../texts/screen-texts.ts';

const en = {
  title: 'Annotations',
  none: 'Nothing is noted yet. Note what happened, and it is marked on the line.',
  day: 'Day',
  text: 'What happened',
  shared: 'For everybody in the organization',
  sharedMark: 'shared',
  add: 'Add',
  remove: (text: string) => `Delete: ${text}`,
  most: 'Older ones are not shown.',
};

const de: typeof en = {
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

/** In the language that the pages speak. */
export const notesTexts = screenTexts({ en, de });
