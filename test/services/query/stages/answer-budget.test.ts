/** Holds the budget of a call: it is handed on and never changed, and what is refused takes nothing of it. */
import { expect } from 'chai';
import {
  collectRows,
  FULL_BUDGET,
  MAX_BYTES_PER_CALL,
  MAX_ROWS_PER_CALL,
  takeRows,
} from '../../../../services/query/stages/answer-budget.ts';
import type { QueryPlan } from '../../../../services/query/stages/query-plan.ts';
import type { WireRow } from '../../../../services/query/stages/shape.ts';

function planOf(kind: QueryPlan['kind']): QueryPlan {
  return {
    kind,
    unit: 'events',
    reach: { organizationId: 'org_a', websiteIds: ['web_a'], organizationEvents: false },
    range: { from: 0, to: 1 },
    scope: { events: 'all' },
    arguments: {},
    filters: [],
    dimensions: [],
    measures: {},
    totals: [],
    buckets: [],
    order: [],
    limit: 100,
    offset: 0,
    columns: [],
  };
}

const ROWS: readonly WireRow[] = [{ path: '/' }, { path: '/ö' }];
/** Each row as JSON with what separates it from the next. */
const BYTES = Buffer.byteLength('{"path":"/"},{"path":"/ö"},');

describe('the budget of the answers of a call', () => {
  it('returns what is left after rows, and leaves the budget that it was given as it is', () => {
    const budget = Object.freeze({ rowsLeft: 10, bytesLeft: 20 });
    expect(takeRows(4, budget)).to.deep.equal({ rowsLeft: 6, bytesLeft: 20 });
    expect(takeRows(10, budget)).to.deep.equal({ rowsLeft: 0, bytesLeft: 20 });
    expect(takeRows(11, budget)).to.have.property('refused').that.includes('at most 100,000 rows');
    expect(budget).to.deep.equal({ rowsLeft: 10, bytesLeft: 20 });
  });

  it('begins with all that one call may hold, for every call', () => {
    expect(FULL_BUDGET).to.deep.equal({ rowsLeft: MAX_ROWS_PER_CALL, bytesLeft: MAX_BYTES_PER_CALL });
  });

  it('counts the rows of a list when they are there, as often as they stand in the answers', () => {
    const budget = Object.freeze({ rowsLeft: 6, bytesLeft: 1_000 });
    const { outcome, left } = collectRows({ plan: planOf('list'), rows: ROWS, uses: 3 }, budget);
    expect(outcome).to.deep.equal(ROWS);
    expect(left).to.deep.equal({ rowsLeft: 0, bytesLeft: 1_000 - 3 * BYTES });
  });

  it('counts of other kinds the bytes alone, since their rows were counted when they were planned', () => {
    const budget = Object.freeze({ rowsLeft: 0, bytesLeft: BYTES });
    for (const kind of ['series', 'row'] as const) {
      const { outcome, left } = collectRows({ plan: planOf(kind), rows: ROWS, uses: 1 }, budget);
      expect(outcome).to.deep.equal(ROWS);
      expect(left).to.deep.equal({ rowsLeft: 0, bytesLeft: 0 });
    }
  });

  it('takes nothing for what it refuses, and makes no row beyond the first that does not fit', () => {
    let made = 0;
    function* rows(): Generator<WireRow> {
      for (const row of [...ROWS, ...ROWS]) {
        made++;
        yield row;
      }
    }
    const fewBytes = Object.freeze({ rowsLeft: 100, bytesLeft: BYTES - 1 });
    const tooBig = collectRows({ plan: planOf('list'), rows: rows(), uses: 1 }, fewBytes);
    expect(tooBig.outcome).to.have.property('refused').that.includes('at most 32 MB');
    expect(tooBig.left).to.equal(fewBytes);
    expect(made).to.equal(2);

    const fewRows = Object.freeze({ rowsLeft: 1, bytesLeft: 1_000 });
    const tooMany = collectRows({ plan: planOf('list'), rows: ROWS, uses: 1 }, fewRows);
    expect(tooMany.outcome).to.have.property('refused').that.includes('at most 100,000 rows');
    expect(tooMany.left).to.equal(fewRows);
  });
});
