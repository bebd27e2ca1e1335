/** A plain model of limits: the list of what was admitted, and the rules read off it by brute force. */
import type { LimitState, LimitUse } from '../../services/shared/ports/counter-store.ts';
import { endOfPeriod } from './end-of-period.ts';

interface Admitted {
  readonly subject: string;
  readonly limit: string;
  readonly at: number;
  readonly cost: number;
}

/** A tenth of the window: what falls into the same one leaves together. */
const SUB_WINDOWS = 10;

export class LimitModel {
  readonly #admitted: Admitted[] = [];

  /** Decides at `at`, an instant that never decreases. */
  decide(
    subject: string,
    uses: readonly LimitUse[],
    at: number,
  ): { admitted: boolean; states: LimitState[] } {
    const fits = uses.map((use) => this.usedAt(subject, use, at) + use.cost <= use.limit);
    const admitted = uses.every((use, index) => use.shadow || fits[index]);
    const shadowAdmits = uses.every((use, index) => !use.shadow || fits[index]);
    if (admitted) {
      for (const use of uses)
        if (!use.shadow || shadowAdmits)
          this.#admitted.push({ subject, limit: use.name, at, cost: use.cost });
    }
    const states = uses.map((use, index) => {
      const exceeded = fits[index] === false;
      return {
        limit: use.limit,
        remaining: exceeded ? 0 : use.limit - this.usedAt(subject, use, at),
        resetAtMs: this.#resetAt(subject, use, at, exceeded),
        violated: exceeded && !use.shadow,
        ...(exceeded && use.shadow ? { shadowed: true as const } : {}),
      };
    });
    return { admitted, states };
  }

  /** How much counts at `at` of what was admitted up to now. */
  usedAt(subject: string, use: LimitUse, at: number): number {
    return this.#groups(subject, use).reduce(
      (sum, group) => (group.leavesAt > at ? sum + group.cost : sum),
      0,
    );
  }

  /** The most that was admitted within any window of this length, taken by the instants alone. */
  mostInAnyWindow(subject: string, use: LimitUse): number {
    const own = this.#of(subject, use);
    const sums = own.map(({ at }) =>
      own.reduce(
        (sum, other) => (other.at <= at && other.at > at - use.windowMs ? sum + other.cost : sum),
        0,
      ),
    );
    return Math.max(0, ...sums);
  }

  #of(subject: string, use: LimitUse): Admitted[] {
    return this.#admitted.filter((entry) => entry.subject === subject && entry.limit === use.name);
  }

  /** What leaves together: a fixed window from its first request on, or a sub-window of a sliding one. */
  #groups(subject: string, use: LimitUse): { readonly leavesAt: number; readonly cost: number }[] {
    const groups: { leavesAt: number; cost: number; begins: number }[] = [];
    const sub = Math.ceil(use.windowMs / SUB_WINDOWS);
    for (const { at, cost } of this.#of(subject, use)) {
      const last = groups.at(-1);
      if (use.algorithm === 'fixed') {
        if (last !== undefined && at < last.leavesAt) last.cost += cost;
        else groups.push({ begins: at, leavesAt: endOf(use, at), cost });
        continue;
      }
      const begins = at - (at % sub);
      if (last?.begins === begins) {
        last.cost += cost;
        last.leavesAt = at + use.windowMs;
      } else groups.push({ begins, leavesAt: at + use.windowMs, cost });
    }
    return groups;
  }

  #resetAt(subject: string, use: LimitUse, at: number, violated: boolean): number {
    const leaving = this.#groups(subject, use)
      .map(({ leavesAt }) => leavesAt)
      .filter((leavesAt) => leavesAt > at)
      .sort((a, b) => a - b);
    const found = violated
      ? leaving.find((instant) => this.usedAt(subject, use, instant) + use.cost <= use.limit)
      : leaving[0];
    return found ?? endOf(use, at);
  }
}

function endOf({ period, windowMs }: LimitUse, at: number): number {
  return period === undefined ? at + windowMs : endOfPeriod(period, at);
}
