/** Finds what was probably meant, for the suggestion of an error. */
import { distance } from 'fastest-levenshtein';

/** Longer texts than this are no mistyped names. */
const LONGEST_NAME = 100;

/**
 * The candidate that `came` was probably meant to be: at most a third of its letters wrong, case ignored. Undefined when
 * `came` is no text or nothing is near.
 */
export function nearestName(came: unknown, candidates: Iterable<string>): string | undefined {
  if (typeof came !== 'string' || came.length > LONGEST_NAME) return undefined;
  const wanted = came.toLowerCase();
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const wrong = distance(wanted, candidate.toLowerCase());
    const bearable = Math.ceil(Math.max(wanted.length, candidate.length) / 3);
    if (wrong < least && wrong <= bearable && wrong < candidate.length) {
      nearest = candidate;
      least = wrong;
    }
  }
  return nearest;
}
