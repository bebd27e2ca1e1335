/** Errors on a website, in English. */

export const en = {
  messages: 'Errors by message',
  message: 'Message',
  back: 'All errors',
  sessions: 'Sessions with it',
  occurrences: 'Each time',
  pages: 'Pages with it',
  stack: 'Stack',
  lists: {
    messages: 'Errors of scripts on your pages, by their message.',
    occurrences: 'The error, each time that it happened, the latest first.',
    pages: 'Pages on which it happened.',
  },
  columns: {
    count: 'Errors',
    errors: 'Errors',
    users: 'Visitors',
    sessions: 'Sessions',
    timestamp: 'Time',
    browser_name: 'Browser',
    os_name: 'System',
    anonymous_id: 'Visitor',
    stack: 'Where',
    total_errors: 'Errors',
    unique_errors: 'Different messages',
    affected_users: 'Visitors',
    affected_sessions: 'Sessions',
  },
  definitions: {
    total_errors: 'Errors of scripts that pages told.',
    unique_errors: 'Distinct messages of these errors.',
    affected_users: 'Distinct visitors who met one.',
    affected_sessions: 'Distinct sessions with one.',
  },
};
