/** Finds what was probably meant, for the suggestion of an error. */
import { distance } from 'fastest-levenshtein';

/** The candidate nearest to `name` (case aside), or undefined when none is near enough to be worth a suggestion. */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.slice(0, 100).toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const found = distance(wanted, candidate.toLowerCase());
    if (found < bestDistance) {
      best = candidate;
      bestDistance = found;
    }
  }
  return best;
}
