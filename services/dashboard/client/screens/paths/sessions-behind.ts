/** The filters that keep the sessions behind a number, as far as filters can say which they are. */
import type { EventMatch } from '../../api/wire.ts';
import type { DimensionName } from '../../website/dimensions.ts';
import {
  type Filter,
  isWithout,
  MOST_FILTERS,
  OPERATORS,
  type Reach,
  withFilter,
} from '../../website/scene-filters.ts';

/** Patterns that are longer, the API refuses. */
const LONGEST_PATTERN = 200;

export interface Behind {
  readonly filters: readonly Filter[];
  /** Whether every part of what was matched is among them. */
  readonly isWhole: boolean;
}

/** What has, or lacks, an event that is matched; each condition is a filter of its own, which another event may meet. */
export function behindMatch({ type, match, conditions = [] }: EventMatch, of: Reach): Behind {
  // To lack both is more than to lack what is both.
  if (isWithout(of) && conditions.length > 0) return { filters: [], isWhole: false };
  const filters = [
    filterOf(type === 'page' ? 'path' : 'event', match.op, match.value, of),
    ...conditions.map(({ field, op, value }) => filterOf(field as DimensionName, op, value ?? '', of)),
  ];
  return joined(filters);
}

/** Those of a screen with those of several numbers; more than the API takes are left out. */
export function behindAll(own: readonly Filter[], parts: readonly Behind[]): Behind {
  const filters = parts.flatMap((part) => part.filters).reduce(withFilter, own);
  return {
    filters: filters.slice(0, MOST_FILTERS),
    isWhole: filters.length <= MOST_FILTERS && parts.every(({ isWhole }) => isWhole),
  };
}

function joined(filters: readonly (Filter | undefined)[]): Behind {
  const known = filters.filter((each) => each !== undefined);
  return { filters: known, isWhole: known.length === filters.length };
}

type Operand = string | number | boolean | readonly (string | number | boolean)[];

/** Undefined: no filter of the address says it. */
function filterOf(dimension: DimensionName, op: string, operand: Operand, of: Reach): Filter | undefined {
  const values = [operand].flat().map(String);
  const [value = ''] = values;
  if (op === 'in' && values.length === 1) return { dimension, operator: 'eq', value, of };
  const pattern = patternOf(op, values);
  if (pattern !== undefined) {
    return pattern.length > LONGEST_PATTERN
      ? undefined
      : { dimension, operator: 'matches', value: pattern, of };
  }
  const operator = OPERATORS.find((each) => each === op);
  return operator && { dimension, operator, value, of };
}

/** A text in a pattern that matches nothing else. */
export const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

function patternOf(op: string, values: readonly string[]): string | undefined {
  const literal = values.map(literally).join('|');
  if (op === 'in') return `^(?:${literal})$`;
  return op === 'ends_with' ? `${literal}$` : undefined;
}
