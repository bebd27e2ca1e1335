/** How a service tells the gateway what a request is charged afterwards; no client sees it. */

/**
 * How many milliseconds the work of a request ran, sent with its answer, errors included. An earlier `102 Processing`
 * says that the work begins: when a request ends without an answer, the gateway counts from there.
 */
export const RUNNING_TIME_HEADER = 'x-tidegate-running-ms';

/** The longest time that is accepted, in milliseconds. */
const LONGEST_MS = 3_600_000;

/** The milliseconds in a header; null when it is absent or not a valid number. */
export function readRunningTime(header: string | readonly string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^\d{1,9}$/.test(header)) return null;
  return Math.min(Number(header), LONGEST_MS);
}
