/** What visits of a website do one after another, in German. */
import { plural } from '../../texts/format.ts';
import type { en } from './texts-en.ts';

export const de: typeof en = {
  tabs: { steps: 'Schritte', links: 'Verbindungen' },
  definition:
    'Sitzungen ab ihrer ersten Seite oder ihrem ersten Ereignis, mit dem der Weg beginnt, oder von dort zurück. Ein Halt öffnet sich und sagt, woher Sitzungen kamen und wohin sie gingen. Eine Seite, die auf sich selbst folgt, ist ein Halt.',
  linksDefinition: 'Wie viele Sitzungen von einem Halt zum nächsten gingen.',
  start: 'Anfang',
  first: {
    all: 'erste Seite der Sitzung',
    pages: 'erste Seite der Sitzung',
    events: 'erstes Ereignis der Sitzung',
  },
  direction: 'Richtung',
  directions: { forward: 'was folgt', backward: 'was davor kommt' },
  kinds: 'Schritte sind',
  kindsOf: { all: 'Seiten und Ereignisse', pages: 'Seiten', events: 'Ereignisse' },
  depth: 'Zahl der Schritte',
  width: 'Halte je Schritt',
  needsStart: 'Als Anfang wählen, wohin Wege führen: Vor der ersten Seite kommt wenig.',
  nothing: 'Keine Sitzung in diesem Zeitraum hat diesen Anfang.',
  stepOf: { forward: (step) => `Schritt ${step}`, backward: (step) => `${step} davor` },
  others: 'alle anderen',
  sessions: (sessions, share) => `${plural(sessions, 'Sitzung', 'Sitzungen')}, ${share}`,
  ended: {
    forward: (sessions, share) => `Hier endeten: ${sessions}, ${share}`,
    backward: (sessions, share) => `Hier begannen: ${sessions}, ${share}`,
  },
  way: 'Weg',
  ways: { from: 'kamen von', to: 'gingen zu' },
  stop: 'Halt',
  share: 'Vom Halt',
  columns: {
    step: 'Schritt',
    from_name: 'Von',
    name: 'Nach',
    sessions: 'Sitzungen',
    percentage: 'Von allen',
  },
  behind: 'Diese Sitzungen',
  withBoth: (what) => `Sitzungen mit ${what}, in beliebiger Folge`,
  nearest: 'Filter kennen keine Reihenfolge. Das Nächste, was sie zeigen können, ist mehr:',
};
