/** A goal as its form holds it, and what the API is told of it: of a change, only what differs. */
import type { GoalView } from '../../api/wire.ts';
import { draftOf as draftOfMatch, type MatchDraft, matchOf, NEW_MATCH } from '../paths/event-match.ts';

export interface Draft {
  readonly name: string;
  readonly match: MatchDraft;
  /** Empty: its events are worth nothing. */
  readonly revenueProperty: string;
  readonly currency: string;
}

export const NEW: Draft = { name: '', match: NEW_MATCH, revenueProperty: '', currency: '' };

export function draftOf(goal: GoalView): Draft {
  return {
    name: goal.name,
    match: draftOfMatch(goal),
    revenueProperty: goal.revenueProperty ?? '',
    currency: goal.currency ?? '',
  };
}

/** The fields of a new goal, besides its website. */
export function bodyOf({ name, match, revenueProperty, currency }: Draft): Record<string, unknown> {
  return {
    name,
    ...matchOf(match),
    revenueProperty: revenueProperty === '' ? null : revenueProperty,
    currency: currency.trim() === '' ? null : currency.trim().toUpperCase(),
  };
}
