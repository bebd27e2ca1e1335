/** The arithmetic of the ingest bench. */
import { expect } from 'chai';
import { type IngestSample, renderIngestReport, summarizeIngest } from './ingest-report.ts';

const ARRAYS = { callers: 16, events: 100 };
const SINGLES = { callers: 64, events: 1 };

function sample(eventsPerSecond: number, rest: Partial<IngestSample> = {}): IngestSample {
  return {
    route: 'gateway',
    shape: ARRAYS,
    eventsPerSecond,
    cpuMicroseconds: 40,
    residentMegabytes: 300,
    othersShare: 0,
    failures: 0,
    ...rest,
  };
}

describe('ingest bench report', () => {
  it('shows the median of the runs of each load and way, and their spread', () => {
    const { rows } = summarizeIngest(
      [sample(10), sample(90), sample(20), sample(5, { route: 'service' })],
      0,
    );
    expect(rows.map((row) => [row.route, row.eventsPerSecond, row.spread])).to.deep.equal([
      ['gateway', 20, [10, 90]],
      ['service', 5, [5, 5]],
    ]);
  });

  it('meets each goal at exactly its value and misses it below', () => {
    const met = (arrays: number, singles: number, visible: number) =>
      summarizeIngest([sample(arrays), sample(singles, { shape: SINGLES })], visible).goals.map(
        (goal) => goal.met,
      );
    expect(met(20_000, 4_000, 1_000)).to.deep.equal([true, true, true]);
    expect(met(19_999, 3_999, 1_001)).to.deep.equal([false, false, false]);
  });

  it('judges only what went through the gateway', () => {
    const { goals } = summarizeIngest([sample(1, { route: 'service' })], 5);
    expect(goals).to.have.length(1);
  });

  it('adds the failures of every run up', () => {
    expect(summarizeIngest([sample(1, { failures: 2 }), sample(1, { failures: 3 })], 0).failures).to.equal(5);
  });

  it('warns when other work used more than a tenth of the processor in most runs', () => {
    const text = (othersShare: number) =>
      renderIngestReport(summarizeIngest([sample(1, { othersShare })], 0));
    expect(text(0.1)).not.to.contain('Other work');
    expect(text(0.5)).to.contain('Other work took 50 %');
  });
});
