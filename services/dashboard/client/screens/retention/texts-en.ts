/** How many visitors of a website come back, in English. */

export const en = {
  title: 'Cohorts',
  definition:
    'Visitors by the period of their first event in the range, and how many returned in each period after it. Weeks begin on Sunday. Dashed: still running, or only partly in the range.',
  start: 'Began with',
  returning: 'Returned with',
  any: 'any event',
  mode: 'Counts',
  modes: { exact: 'in the period', rolling: 'in it or later' },
  show: 'Shows',
  shown: { percent: 'Percent', people: 'Visitors' },
  cohort: 'Began',
  size: 'Visitors',
  periods: {
    daily: (after: string) => `Day ${after}`,
    weekly: (after: string) => `Week ${after}`,
    monthly: (after: string) => `Month ${after}`,
  },
  mean: 'All',
  meanDefinition: 'Of all visitors for whom the period is over and whole, those who returned in it.',
  counted: (visitors: string, size: string, percent: string) =>
    `Visitors: ${visitors} of ${size}, ${percent}.`,
  behind: 'Sessions of these visitors',
  nearest: 'Filters cannot say who began when. The nearest that they can show is more:',
  everybody: (days: string) => `Sessions of all visitors, ${days}`,
  everybodyWith: (days: string, what: string) => `Sessions of all visitors with: ${what}, ${days}`,
};
