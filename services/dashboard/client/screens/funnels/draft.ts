/** A funnel as its form holds it, and what the API is told of it: of a change, only what differs. */
import type { FunnelView } from '../../api/wire.ts';
import { draftOf as draftOfMatch, type MatchDraft, matchOf, NEW_MATCH } from '../paths/event-match.ts';

/** Seconds of each unit, the longest first. */
export const UNITS = { days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const;
export type Unit = keyof typeof UNITS;
export const UNIT_NAMES = Object.keys(UNITS) as readonly Unit[];

export const LEAST_STEPS = 2;
export const MOST_STEPS = 20;

export interface StepDraft {
  /** Tells it apart from the others while they are moved. */
  readonly row: number;
  /** Empty: what it matches is shown. */
  readonly name: string;
  readonly match: MatchDraft;
}

export interface Draft {
  readonly name: string;
  readonly steps: readonly StepDraft[];
  readonly ordered: boolean;
  /** How many {@link Draft.unit}s a visitor has. */
  readonly count: string;
  readonly unit: Unit;
  /** Null: nothing ends an attempt. */
  readonly exclude: MatchDraft | null;
}

export const NEW: Draft = {
  name: '',
  steps: [0, 1].map((row) => ({ row, name: '', match: NEW_MATCH })),
  ordered: true,
  count: '7',
  unit: 'days',
  exclude: null,
};

/** A time in the longest unit of which it is a whole number. */
export function windowOf(seconds: number): { readonly count: number; readonly unit: Unit } {
  const unit = UNIT_NAMES.find((each) => seconds % UNITS[each] === 0) ?? 'seconds';
  return { count: seconds / UNITS[unit], unit };
}

export function draftOf({ name, steps, ordered, windowSeconds, exclude }: FunnelView): Draft {
  const { count, unit } = windowOf(windowSeconds);
  return {
    name,
    steps: steps.map((step, row) => ({ row, name: step.name ?? '', match: draftOfMatch(step) })),
    ordered,
    count: String(count),
    unit,
    exclude: exclude && draftOfMatch(exclude),
  };
}

/** The fields of a new funnel, besides its website. */
export function bodyOf({ name, steps, ordered, count, unit, exclude }: Draft): Record<string, unknown> {
  const number = Number(count.trim() || Number.NaN);
  return {
    name,
    steps: steps.map((step) => ({ ...(step.name !== '' && { name: step.name }), ...matchOf(step.match) })),
    ordered,
    // What is no number, the API says.
    windowSeconds: Number.isFinite(number) ? number * UNITS[unit] : count,
    exclude: exclude && matchOf(exclude),
  };
}
