/** What visits of a website do one after another, in English. */
import { plural } from '../../texts/format.ts';

export const en = {
  tabs: { steps: 'Steps', links: 'Links' },
  definition:
    'Sessions from their first page or event that is the start on, or back from it. A stop opens to tell where sessions came from and went to. A page that follows itself is one stop.',
  linksDefinition: 'How many sessions went from one stop to the next.',
  start: 'Start',
  first: {
    all: 'first page of the session',
    pages: 'first page of the session',
    events: 'first event of the session',
  },
  direction: 'Direction',
  directions: { forward: 'what follows', backward: 'what comes before' },
  kinds: 'Steps are',
  kindsOf: { all: 'pages and events', pages: 'pages', events: 'events' },
  depth: 'Number of steps',
  width: 'Stops of each',
  needsStart: 'Choose what journeys lead to as the start: little comes before the first page.',
  nothing: 'No session in this range has this start.',
  stepOf: {
    forward: (step: string) => `Step ${step}`,
    backward: (step: string) => `${step} before`,
  },
  others: 'all others',
  sessions: (sessions: number, share: string) => `${plural(sessions, 'session', 'sessions')}, ${share}`,
  ended: {
    forward: (sessions: string, share: string) => `Ended here: ${sessions}, ${share}`,
    backward: (sessions: string, share: string) => `Began here: ${sessions}, ${share}`,
  },
  way: 'Way',
  ways: { from: 'came from', to: 'went to' },
  stop: 'Stop',
  share: 'Of the stop',
  columns: { step: 'Step', from_name: 'From', name: 'To', sessions: 'Sessions', percentage: 'Of all' },
  behind: 'These sessions',
  withBoth: (what: string) => `Sessions with ${what}, in any order`,
  nearest: 'Filters know no order. The nearest that they can show is more:',
};
