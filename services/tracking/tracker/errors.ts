/** Errors of the page's own scripts. */
import { on } from './guard.ts';
import { LONGEST_URL } from './page-url.ts';
import type { TrackedEvent } from './sender.ts';

/** A page that fails in a loop repeats the same error. */
const MOST_ERRORS = 10;
/** The API accepts messages of 8 KB, and stacks of 32 KB; a character has at most 3 bytes. */
const LONGEST_MESSAGE = 2_048;
const LONGEST_STACK = 4_096;

export function watchErrors(report: (fields: TrackedEvent) => void): void {
  const known = new Set<string>();

  function reportOnce(thrown: unknown, message: string, place: TrackedEvent): void {
    const fault: Partial<Error> = Object(thrown);
    const text = (fault.message || message).slice(0, LONGEST_MESSAGE);
    const key = text + place.filename + place.lineno;
    if (!text || known.has(key) || known.size >= MOST_ERRORS) return;
    known.add(key);
    report({
      message: text,
      errorType: fault.name || 'Error',
      stack: fault.stack?.slice(0, LONGEST_STACK),
      ...place,
    });
  }

  // Images that fail to load raise the event too, without a message.
  on<ErrorEvent>(window, 'error', ({ error, message, filename, lineno, colno }) => {
    if (message) reportOnce(error, message, { filename: filename?.slice(0, LONGEST_URL), lineno, colno });
  });
  on<PromiseRejectionEvent>(window, 'unhandledrejection', ({ reason }) => {
    reportOnce(reason, String(reason), {});
  });
}
