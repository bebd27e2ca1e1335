/** Visitors and persons of a website, in English. */
import { plural } from '../../texts/format.ts';

export const en = {
  list: 'Browsers and people that sent an event in the range, the latest first. A visitor opens with its sessions.',
  one: 'One visitor',
  all: 'All visitors',
  sessions: 'Sessions of this visitor with a pageview in the range, the latest first.',
  columns: {
    profile_id: 'Person',
    first_visit: 'First event',
    last_visit: 'Last event',
    session_count: 'Sessions',
    unique_pages: 'Pages',
  },
  person: {
    find: 'Find a person',
    id: 'Identifier of the person',
    idHint: 'The profileId that your website or server sent with /identify or with events.',
    search: 'Find',
    show: 'Show the person',
    title: 'Person',
    events: (count: number) => `${plural(count, 'event', 'events')}.`,
    between: (first: string, last: string) => `The first was at ${first}, the last at ${last}.`,
    traits: 'Traits',
    trait: 'Trait',
    value: 'Value',
    omitted: 'Further visitors are not shown.',
  },
  erase: {
    visitor: 'Erase the visitor',
    person: 'Erase the person',
    effects: {
      visitor:
        'Every event of this visitor on this website, and the record of which person it is, go for good. Traits of the person stay.',
      person:
        'What this website holds of the person goes for good: traits, the records of which visitors they are, and every event of theirs.',
    },
    type: 'To erase it, type',
    typed: 'Identifier',
    wrong: 'That is not the identifier.',
    submit: 'Erase',
    erased: 'The person is erased.',
  },
};
