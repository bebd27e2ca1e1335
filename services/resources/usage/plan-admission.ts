/** How many of the requests that the limits of a plan refused a larger plan would have admitted at least, as far as counts by minute tell. */

/** The numbers of a plan that bind an organization; null: it has no such quota. */
export interface PlanNumbers {
  readonly per10Seconds: number;
  readonly perMinute: number;
  readonly perDay: number | null;
  readonly perMonth: number | null;
}

const NAMES = ['per10Seconds', 'perMinute', 'perDay', 'perMonth'] as const;

/** Whether a plan admits all that the other one does, and something that it does not. */
export function isLarger(plan: PlanNumbers, than: PlanNumbers): boolean {
  const most = (numbers: PlanNumbers) => NAMES.map((name) => numbers[name] ?? Number.POSITIVE_INFINITY);
  const [own, others] = [most(plan), most(than)];
  return (
    own.every((number, index) => number >= (others[index] ?? 0)) &&
    own.some((number, index) => number > (others[index] ?? 0))
  );
}

/**
 * The least that the larger plan would have admitted more, however the refused requests lay within their minutes; `refused` has
 * one number for each minute. A window begins with its first request, so one of a minute may hold refusals of two minutes of the
 * clock, and all of them may have come within ten seconds: such a window admits more by the smaller of both differences alone.
 * The windows of both plans are taken to begin at the same instants. The quotas of a day and a month bound the sum.
 */
export function leastAdmitted(refused: readonly number[], own: PlanNumbers, larger: PlanNumbers): number {
  const more = Math.min(larger.per10Seconds - own.per10Seconds, larger.perMinute - own.perMinute);
  const within = (requests: number) => Math.min(requests, more);
  // The least sum over every way to put each minute into a window of its own, or into one with the minute before.
  let [before, least] = [0, 0];
  refused.forEach((requests, minute) => {
    const together =
      minute === 0 ? Number.POSITIVE_INFINITY : before + within((refused[minute - 1] ?? 0) + requests);
    [before, least] = [least, Math.min(least + within(requests), together)];
  });
  return Math.min(least, quotaLeft(own.perDay, larger.perDay), quotaLeft(own.perMonth, larger.perMonth));
}

function quotaLeft(own: number | null, larger: number | null): number {
  return larger === null ? Number.POSITIVE_INFINITY : larger - (own ?? larger);
}
