/** What goals, funnels, retention and journeys share, in English. */

export const en = {
  types: { page: 'Page', event: 'Event' },
  type: 'What counts',
  operator: 'Compared by',
  value: 'Path or name',
  values: 'Paths or names, one a line',
  operators: {
    in: 'is one of',
    not_in: 'is none of',
    ends_with: 'ends with',
    gt: 'is above',
    gte: 'is at least',
    lt: 'is below',
    lte: 'is at most',
  },
  condition: (number: string) => `Condition ${number}`,
  addCondition: 'Condition on a property',
  property: 'Property',
  how: 'How',
  compared: 'Value',
  comparedList: 'Values, one a line',
  removeCondition: (number: string) => `Remove condition ${number}`,
  sessions: (what: string) => `Sessions: ${what}`,
  inPart: 'Without what filters cannot say.',
};
