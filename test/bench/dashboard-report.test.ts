/** The arithmetic of the dashboard bench. */
import { expect } from 'chai';
import {
  BUDGETS,
  READY_EVENTS,
  READY_GOALS,
  renderReady,
  renderVisits,
  summarizeReady,
  summarizeVisits,
  type Visit,
} from './dashboard-report.ts';

function visit(rest: Partial<Visit> = {}): Visit {
  const most = Object.fromEntries(BUDGETS.map(({ figure, most: value }) => [figure, value]));
  const other = { page: 'login', numbers: 1_000, bytes: 60_000, requests: 6 };
  return { ...(most as unknown as Visit), ...other, ...rest };
}

describe('dashboard bench report', () => {
  it('shows the median of the visits of each page', () => {
    const rows = summarizeVisits([
      visit({ firstPaint: 10 }),
      visit({ firstPaint: 90 }),
      visit({ firstPaint: 20 }),
      visit({ page: 'overview', firstPaint: 5 }),
    ]);
    expect(rows.map(({ page, figures }) => [page, figures.firstPaint])).to.deep.equal([
      ['login', 20],
      ['overview', 5],
    ]);
  });

  it('meets each budget at exactly its value and misses it above, and with no number', () => {
    expect(summarizeVisits([visit()])[0]?.missed).to.deep.equal([]);
    for (const { figure, text, most } of BUDGETS) {
      for (const value of [most + 0.001, Number.NaN]) {
        expect(summarizeVisits([visit({ [figure]: value })])[0]?.missed).to.deep.equal([text]);
      }
    }
  });

  it('says of each page whether it is within the budgets', () => {
    const text = renderVisits(summarizeVisits([visit(), visit({ page: 'overview', layoutShift: 0.2 })]));
    expect(text).to.contain('login: within every budget');
    expect(text).to.contain('overview: MISSED CLS ≤ 0.05');
  });

  it('judges when an overview is ready by the median of its visits, and only of as many events as the goals mean', () => {
    const goal = READY_GOALS.middle;
    const ready = (...all: number[]) =>
      summarizeReady(all.map((each) => ({ website: 'middle', numbers: goal.numbers, all: each })));
    expect(ready(goal.all, 9_999, 1)[0]).to.deep.include({ all: goal.all, isMet: true });
    expect(ready(goal.all + 1)[0]?.isMet).to.equal(false);
    expect(renderReady(ready(goal.all + 1), READY_EVENTS)).to.match(/middle .*MISSED/);
    expect(renderReady(ready(goal.all + 1), READY_EVENTS - 1)).to.not.include('MISSED');
  });
});
