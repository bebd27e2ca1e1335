/** Visitors and persons of a website, in German. */
import { plural } from '../../texts/format.ts';
import type { en } from './texts-en.ts';

export const de: typeof en = {
  list: 'Browser und Personen, die im Zeitraum ein Ereignis sendeten, die letzten zuerst. Ein Besucher öffnet sich mit seinen Sitzungen.',
  one: 'Ein Besucher',
  all: 'Alle Besucher',
  sessions: 'Sitzungen dieses Besuchers mit einem Seitenaufruf im Zeitraum, die letzten zuerst.',
  columns: {
    profile_id: 'Person',
    first_visit: 'Erstes Ereignis',
    last_visit: 'Letztes Ereignis',
    session_count: 'Sitzungen',
    unique_pages: 'Seiten',
  },
  person: {
    find: 'Eine Person finden',
    id: 'Kennung der Person',
    idHint: 'Die profileId, die Ihre Website oder Ihr Server mit /identify oder mit Ereignissen sendet.',
    search: 'Finden',
    show: 'Person zeigen',
    title: 'Person',
    events: (count) => `${plural(count, 'Ereignis', 'Ereignisse')}.`,
    between: (first, last) => `Das erste war am ${first}, das letzte am ${last}.`,
    traits: 'Merkmale',
    trait: 'Merkmal',
    value: 'Wert',
    omitted: 'Weitere Besucher stehen hier nicht.',
  },
  erase: {
    visitor: 'Besucher löschen',
    person: 'Person löschen',
    effects: {
      visitor:
        'Jedes Ereignis dieses Besuchers auf dieser Website und der Eintrag, welche Person er ist, gehen endgültig verloren. Merkmale der Person bleiben.',
      person:
        'Was diese Website von der Person hat, geht endgültig verloren: Merkmale, die Einträge, welche Besucher sie ist, und jedes Ereignis von ihr.',
    },
    type: 'Zum Löschen bitte eingeben:',
    typed: 'Kennung',
    wrong: 'Das ist nicht die Kennung.',
    submit: 'Löschen',
    erased: 'Die Person ist gelöscht.',
  },
};
