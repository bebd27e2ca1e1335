/** Goals of a website, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  make: 'Neues Ziel',
  changeTitle: 'Ziel ändern',
  makeIt: 'Ziel anlegen',
  none: 'Noch kein Ziel. Ein Ziel ist eine Seite, die aufgerufen, oder ein Ereignis, das gesendet wird, etwa ein Kauf, auch in der Vergangenheit.',
  definition:
    'Wie oft jedes erreicht wurde und von wem. Die Rate bezieht sich auf alle Besucher, die die Filter behalten.',
  order: 'Reihenfolge',
  movedTo: (name, place, count) => `${name} ist jetzt Nummer ${place} von ${count}.`,
  revenueProperty: 'Eigenschaft mit dem Umsatz',
  revenueHint: 'Ihre Zahl ist, was jedes passende Ereignis wert ist. Leer: nichts.',
  currency: 'Währung',
  currencyHint: 'Etwa EUR. Nichts wird umgerechnet; Ereignisse, die eine andere nennen, zählen nicht dazu.',
  removeTitle: 'Dieses Ziel löschen?',
  removeHint: 'Die Ereignisse bleiben, wie sie sind.',
  all: 'Alle Ziele',
  groupsDefinition:
    'Gruppen nach dem, was die passenden Ereignisse sagen. Die Rate bezieht sich auf die Besucher der Gruppe.',
  orders: 'Ereignisse mit einer Zahl',
  sessions: 'Sitzungen damit',
  noSeries: 'Zu solchen Ereignissen hat die API keinen Verlauf.',
  definitions: {
    visitors: 'Besucher, die es mindestens einmal erreichten.',
    sessions: 'Sitzungen, in denen es mindestens einmal erreicht wurde.',
  },
};
