/** How many visitors of a website come back, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  title: 'Kohorten',
  definition:
    'Besucher nach dem Abschnitt ihres ersten Ereignisses im Zeitraum, und wie viele in jedem Abschnitt danach wiederkamen. Wochen beginnen am Sonntag. Gestrichelt: Er läuft noch oder liegt nur teilweise im Zeitraum.',
  start: 'Begann mit',
  returning: 'Kam wieder mit',
  any: 'irgendeinem Ereignis',
  mode: 'Zählt',
  modes: { exact: 'in dem Abschnitt', rolling: 'darin oder später' },
  show: 'Zeigt',
  shown: { percent: 'Prozent', people: 'Besucher' },
  cohort: 'Begann',
  size: 'Besucher',
  periods: {
    daily: (after) => `Tag ${after}`,
    weekly: (after) => `Woche ${after}`,
    monthly: (after) => `Monat ${after}`,
  },
  mean: 'Alle',
  meanDefinition:
    'Von allen Besuchern, für die der Abschnitt vorbei und ganz im Zeitraum ist, die wiedergekommenen.',
  counted: (visitors, size, percent) => `Besucher: ${visitors} von ${size}, ${percent}.`,
  behind: 'Sitzungen dieser Besucher',
  nearest: 'Filter können nicht sagen, wer wann begann. Das Nächste, was sie zeigen können, ist mehr:',
  everybody: (days) => `Sitzungen aller Besucher, ${days}`,
  everybodyWith: (days, what) => `Sitzungen aller Besucher mit: ${what}, ${days}`,
};
