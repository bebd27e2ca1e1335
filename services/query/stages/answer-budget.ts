/**
 * The size budget of the answers of one call: each step that adds rows takes a budget and returns the rest, so that no
 * call fills the memory.
 */
import type { QueryPlan, Refusal } from './query-plan.ts';
import type { WireRow } from './shape.ts';

/** How many rows the answers of one call may have. */
export const MAX_ROWS_PER_CALL = 100_000;

/** How many bytes of rows, as JSON, the answers of one call may have. */
export const MAX_BYTES_PER_CALL = 32 * 1024 * 1024;

export interface AnswerBudget {
  readonly rowsLeft: number;
  readonly bytesLeft: number;
}

/** The budget of a call without answers yet. */
export const FULL_BUDGET: AnswerBudget = { rowsLeft: MAX_ROWS_PER_CALL, bytesLeft: MAX_BYTES_PER_CALL };

/** What is left of the budget after these rows, or why they do not fit. */
export function takeRows(rows: number, budget: AnswerBudget): AnswerBudget | Refusal {
  if (rows > budget.rowsLeft) {
    const most = MAX_ROWS_PER_CALL.toLocaleString('en');
    return { refused: `The answers of one call hold at most ${most} rows; ask for this one apart.` };
  }
  return { ...budget, rowsLeft: budget.rowsLeft - rows };
}

/** The rows of a plan that appears `uses` times in the answers. */
export interface PlanRows {
  readonly plan: QueryPlan;
  /** Produced one by one, and only as far as they fit. */
  readonly rows: Iterable<WireRow>;
  readonly uses: number;
}

/** All rows of a plan or why they do not fit, and the budget for those that follow. */
export interface CollectedRows {
  readonly outcome: readonly WireRow[] | Refusal;
  readonly left: AnswerBudget;
}

/** Whether there is a row or line for each of some groups, so that only the data say how many. */
export function isOfGroups({ kind, dimensions }: QueryPlan): boolean {
  return kind === 'list' || dimensions.length > 0;
}

/** Rows of groups are counted here; others were counted when they were planned. Refused rows take nothing. */
export function collectRows({ plan, rows, uses }: PlanRows, budget: AnswerBudget): CollectedRows {
  const collected: WireRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += uses * (Buffer.byteLength(JSON.stringify(row)) + 1);
    if (bytes > budget.bytesLeft) return { outcome: tooManyBytes(), left: budget };
    collected.push(row);
  }
  const left = takeRows(isOfGroups(plan) ? uses * collected.length : 0, budget);
  if ('refused' in left) return { outcome: left, left: budget };
  return { outcome: collected, left: { ...left, bytesLeft: left.bytesLeft - bytes } };
}

function tooManyBytes(): Refusal {
  const most = MAX_BYTES_PER_CALL / 1024 / 1024;
  return {
    refused: `The answers of one call hold at most ${most} MB; ask for this one apart, or for fewer rows with limit.`,
  };
}
