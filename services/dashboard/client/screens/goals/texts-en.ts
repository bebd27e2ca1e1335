/** Goals of a website, in English. */

export const en = {
  make: 'New goal',
  changeTitle: 'Change goal',
  makeIt: 'Make goal',
  none: 'No goal yet. A goal is a page that is viewed or an event that is sent, such as a purchase, in the past too.',
  definition: 'How often each was reached, and by whom. The rate is of all visitors that the filters keep.',
  order: 'Order',
  movedTo: (name: string, place: string, count: string) => `${name} is number ${place} of ${count} now.`,
  revenueProperty: 'Property with the revenue',
  revenueHint: 'Its number is what each matching event is worth. Empty: nothing.',
  currency: 'Currency',
  currencyHint: 'Such as EUR. Nothing is converted; events that name another one add nothing.',
  removeTitle: 'Delete this goal?',
  removeHint: 'Events stay as they are.',
  all: 'All goals',
  groupsDefinition: 'Groups by what the matching events say. The rate is of the visitors of the group.',
  orders: 'Events with a number',
  sessions: 'Sessions with it',
  noSeries: 'The API has no line of such events.',
  definitions: {
    visitors: 'Visitors who reached it at least once.',
    sessions: 'Sessions in which it was reached at least once.',
  },
};
