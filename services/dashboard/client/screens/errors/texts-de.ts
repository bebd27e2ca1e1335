/** Errors on a website, in German. */
import type { en } from './texts-en.ts';

export const de: typeof en = {
  messages: 'Fehler nach Meldung',
  message: 'Meldung',
  back: 'Alle Fehler',
  sessions: 'Sitzungen damit',
  occurrences: 'Jedes Mal',
  pages: 'Seiten damit',
  stack: 'Stack',
  lists: {
    messages: 'Fehler von Skripten auf Ihren Seiten, nach ihrer Meldung.',
    occurrences: 'Der Fehler, sooft er auftrat, der neueste zuerst.',
    pages: 'Seiten, auf denen er auftrat.',
  },
  columns: {
    count: 'Fehler',
    errors: 'Fehler',
    users: 'Besucher',
    sessions: 'Sitzungen',
    timestamp: 'Zeit',
    browser_name: 'Browser',
    os_name: 'System',
    anonymous_id: 'Besucher',
    stack: 'Wo',
    total_errors: 'Fehler',
    unique_errors: 'Verschiedene Meldungen',
    affected_users: 'Besucher',
    affected_sessions: 'Sitzungen',
  },
  definitions: {
    total_errors: 'Fehler von Skripten, die Seiten gemeldet haben.',
    unique_errors: 'Verschiedene Meldungen dieser Fehler.',
    affected_users: 'Verschiedene Besucher, die einen antrafen.',
    affected_sessions: 'Verschiedene Sitzungen mit einem.',
  },
};
