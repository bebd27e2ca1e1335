/** How long to wait between two looks for the first event: often while somebody is at work on it, then seldom, then no more. */

/** Seconds between looks, and how many looks are that far apart: a minute, four more, ten more. */
const PACES = [
  { seconds: 3, looks: 20 },
  { seconds: 6, looks: 40 },
  { seconds: 15, looks: 40 },
] as const;

/** Seconds until the next look, after so many; null: there is none, until somebody asks for it. */
export function waitAfter(looks: number): number | null {
  let until = 0;
  for (const pace of PACES) {
    until += pace.looks;
    if (looks <= until) return pace.seconds;
  }
  return null;
}
