/** What the pages say when something is missing, late or refused. */
export const states = {
  loading: 'Loading …',
  skip: 'Skip to content',
  again: 'Try again',
  requestId: (id: string) => `Request ${id}`,
  offline: 'The service cannot be reached. Check your connection.',
  unavailable: 'The service cannot answer right now.',
  lastNumbers: (time: string) => `The numbers are those of ${time}.`,
  triesAgain: (seconds: number) =>
    seconds <= 1 ? 'Trying again now.' : `Trying again in ${seconds} seconds.`,
  limit: (limit: number | null) =>
    limit === null
      ? 'The rate limit is used up.'
      : `The rate limit of ${limit} requests is used up for the moment.`,
  forbidden: 'Your role does not open this page.',
  forbiddenHint: 'Ask an owner or admin of the organization for another role.',
  missing: 'There is nothing at this address.',
  missingHint: 'It may have been deleted, or belong to another organization.',
  conflict: 'This cannot be done as things are.',
  changed: 'Somebody else changed this in the meantime.',
  switched: 'Another organization was chosen in the meantime.',
  changedHint: 'Load it again, then make your change.',
  invalid: 'Something in the form is not right.',
  invalidQuestion: 'What was asked for is not allowed.',
  invalidSql: 'The query does not run as it stands.',
  over: 'Your session has ended.',
  overHint: 'Log in to go on. What you typed is still there.',
  oneFailed: 'This part could not be computed.',
  noEvent: 'No event yet',
  noneInRange: 'Nothing in this range',
  noneInRangeHint: 'Choose a longer range.',
  newVersionFailed: 'A part of this page could not be loaded. Reload it in a moment.',
  failed: 'This page has a fault and cannot go on.',
  reload: 'Reload the page',
  saved: 'Saved.',
};
