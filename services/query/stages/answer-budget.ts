/** What the answers of one call may hold, counted down while they come together, so that no call fills the memory. */
import type { Plan, Refusal } from './plan.ts';
import type { WireRow } from './shape.ts';

/** Most rows in the answers of one call. */
export const MAX_ROWS_PER_CALL = 100_000;

/** Most bytes of rows, as JSON, in the answers of one call. */
export const MAX_BYTES_PER_CALL = 32 * 1024 * 1024;

export interface AnswerBudget {
  rowsLeft: number;
  bytesLeft: number;
}

export function createAnswerBudget(): AnswerBudget {
  return { rowsLeft: MAX_ROWS_PER_CALL, bytesLeft: MAX_BYTES_PER_CALL };
}

/** Takes rows out of the budget, or says why they do not fit; then nothing is taken. */
export function takeRows(rows: number, budget: AnswerBudget): Refusal | null {
  if (rows > budget.rowsLeft) {
    const most = MAX_ROWS_PER_CALL.toLocaleString('en');
    return { refused: `The answers of one call hold at most ${most} rows; ask for this one apart.` };
  }
  budget.rowsLeft -= rows;
  return null;
}

/**
 * The rows of a plan that stands `uses` times in the answers, if all of them fit; otherwise why not. Rows are made one by
 * one, and no further than they fit. Rows of lists are counted here; those of other kinds were when they were planned.
 */
export function collectRows(
  plan: Plan,
  rows: Iterable<WireRow>,
  uses: number,
  budget: AnswerBudget,
): readonly WireRow[] | Refusal {
  const collected: WireRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    bytes += uses * (Buffer.byteLength(JSON.stringify(row)) + 1);
    if (bytes > budget.bytesLeft) {
      const most = MAX_BYTES_PER_CALL / 1024 / 1024;
      return {
        refused: `The answers of one call hold at most ${most} MB; ask for this one apart, or for fewer rows with limit.`,
      };
    }
    collected.push(row);
  }
  const tooMany = plan.kind === 'list' ? takeRows(uses * collected.length, budget) : null;
  if (tooMany) return tooMany;
  budget.bytesLeft -= bytes;
  return collected;
}
