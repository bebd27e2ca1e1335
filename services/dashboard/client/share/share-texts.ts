/** The page of a share, in every language. */
import { numbers as deNumbers } from '../texts/de/website-numbers.ts';
import { numbers } from '../texts/en/website-numbers.ts';
import { screenTexts } from '../texts/screen-texts.ts';

const en = {
  ...numbers,
  title: 'Shared numbers',
  missing: 'There is no such share',
  missingHint:
    'Its link is not complete, has expired, or was taken back. Ask whoever sent it to you for another one.',
  locked: 'This page asks for a password',
  password: 'Password',
  unlock: 'Show the numbers',
  wrong: 'This is not the password.',
  over: 'Type the password again: it counts for an hour.',
  outdated: 'What is shared was changed in the meantime.',
  reload: 'Load the page again',
  zone: (zone: string) => `Times in ${zone}`,
  allTime: 'All time',
  whole: 'Whole range',
  dates: 'Other dates',
  badDates: (from: string, to: string) => `Choose days from ${from} to ${to}, the first before the last.`,
  chartHint: 'Arrow keys move between the points.',
  name: 'Name',
  pageviews: 'Pageviews',
  visitors: 'Visitors',
  sessions: 'Sessions',
  events: 'Events',
  percent: 'Percent',
  nothing: 'Nothing in this range.',
};

const de: typeof en = {
  ...deNumbers,
  title: 'Geteilte Zahlen',
  missing: 'Diese Freigabe gibt es nicht',
  missingHint:
    'Der Link ist unvollständig, abgelaufen oder widerrufen. Fragen Sie nach einem neuen, wo Sie ihn her haben.',
  locked: 'Diese Seite fragt nach einem Passwort',
  password: 'Passwort',
  unlock: 'Zahlen zeigen',
  wrong: 'Das ist nicht das Passwort.',
  over: 'Geben Sie das Passwort noch einmal ein: Es gilt für eine Stunde.',
  outdated: 'Was geteilt wird, hat sich inzwischen geändert.',
  reload: 'Seite neu laden',
  zone: (zone: string) => `Zeiten in ${zone}`,
  allTime: 'Alle Zeit',
  whole: 'Ganzer Zeitraum',
  dates: 'Andere Daten',
  badDates: (from: string, to: string) =>
    `Wählen Sie Tage von ${from} bis ${to}, den ersten vor dem letzten.`,
  chartHint: 'Pfeiltasten gehen von Punkt zu Punkt.',
  name: 'Name',
  pageviews: 'Seitenaufrufe',
  visitors: 'Besucher',
  sessions: 'Sitzungen',
  events: 'Ereignisse',
  percent: 'Prozent',
  nothing: 'Nichts in diesem Zeitraum.',
};

/** In the language that the pages speak. */
export const shareTexts = screenTexts({ en, de });
