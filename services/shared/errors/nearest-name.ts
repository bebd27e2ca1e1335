/** Finds what was probably meant, for the suggestion of an error. */
import { distance } from 'fastest-levenshtein';

/** Texts longer than this are not mistyped names. */
const LONGEST_NAME = 100;

/**
 * The candidate that `came` was probably meant to be: at most a third of its letters differ, case ignored. Undefined
 * when `came` is not text or nothing is near.
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

/**
 * The known field that `field` was probably meant to be. Only fields of the same object qualify, so that `config.uri`
 * is never taken for `config`. Both are written as in faults, such as `settings.timezone`.
 */
export function nearestField(field: string, known: readonly string[]): string | undefined {
  const place = placeOf(field);
  return nearestName(
    field,
    known.filter((name) => placeOf(name) === place),
  );
}

/** The object that holds a field; empty for the whole body or query string. */
function placeOf(field: string): string {
  return field.slice(0, Math.max(field.lastIndexOf('.'), 0));
}
