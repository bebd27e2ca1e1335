/** The arithmetic of the bench: its verdicts are only worth what these figures are. */
import { expect } from 'chai';
import { parseBusyMicroseconds, parseCpuList, parseCpuMicroseconds } from './process-usage.ts';
import { type Method, median, renderReport, type Sample, summarize } from './report.ts';
import type { TargetName } from './target.ts';

function sample(
  round: number,
  target: TargetName,
  cpuMicroseconds: number,
  rest: Partial<Sample> = {},
): Sample {
  const method: Method = 'GET';
  const quiet = { requestsPerSecond: 1000, residentMegabytes: 50, othersShare: 0, failures: 0 };
  return { round, target, method, cpuMicroseconds, ...quiet, ...(rest as object) };
}

describe('bench report', () => {
  it('takes the middle value, and the mean of both when there are two', () => {
    expect(median([9, 1, 5])).to.equal(5);
    expect(median([4, 1, 2, 9])).to.equal(3);
  });

  it('compares within each round, so that a machine that slows down for a while changes no ratio', () => {
    const samples = [
      ...[sample(1, 'bare', 30), sample(1, 'tidegate', 39)],
      ...[sample(2, 'bare', 90), sample(2, 'tidegate', 117)],
      ...[sample(3, 'bare', 60), sample(3, 'tidegate', 78)],
    ];
    const [bare, tidegate] = summarize(samples, ['bare', 'tidegate']).rows;
    expect(bare?.toBare).to.equal(1);
    expect(tidegate?.toBare).to.be.closeTo(1.3, 1e-9);
    expect(tidegate?.cpuSpread).to.deep.equal([39, 117]);
  });

  it('meets the goals at exactly 1.4 times bare and a quarter of stock, and misses them past that', () => {
    const verdicts = (tidegate: number) =>
      summarize(
        [sample(1, 'bare', 100), sample(1, 'stock', 560), sample(1, 'tidegate', tidegate)],
        ['bare', 'stock', 'tidegate'],
      ).goals.map((goal) => goal.met);
    expect(verdicts(140)).to.deep.equal([true, true]);
    expect(verdicts(141)).to.deep.equal([false, false]);
  });

  it('names no goal whose targets were not all measured', () => {
    const report = summarize([sample(1, 'stock', 500)], ['stock']);
    expect(report.goals).to.deep.equal([]);
    expect(report.rows[0]?.toBare).to.equal(null);
  });

  it('adds the failures of every round up', () => {
    const samples = [sample(1, 'bare', 30, { failures: 2 }), sample(2, 'bare', 30, { failures: 3 })];
    expect(summarize(samples, ['bare']).failures).to.equal(5);
  });

  it('warns when other work used more than a tenth of the processor in most runs', () => {
    const report = (share: number) =>
      renderReport(
        summarize(
          [1, 2, 3].map((round) => sample(round, 'bare', 30, { othersShare: round === 3 ? 0 : share })),
          ['bare'],
        ),
      );
    expect(report(0.4)).to.include('Other work took 40 %');
    expect(report(0.1)).to.not.include('Other work');
  });

  it('shows a missed goal as such', () => {
    const report = summarize([sample(1, 'bare', 10), sample(1, 'tidegate', 20)], ['bare', 'tidegate']);
    expect(renderReport(report)).to.match(/Tidegate ≤ 1\.4 × bare\s+2\.00\s+MISSED/);
  });
});

describe('process usage', () => {
  it('adds up what a processor did, without its idle time and its waiting for disks', () => {
    const stat = 'cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 1 2 3 1000 500 4 5 6 0 0\ncpu1 7 0 0 1000 0 0 0 0 0 0\n';
    expect(parseBusyMicroseconds(stat, 0)).to.equal(210_000);
    expect(parseBusyMicroseconds(stat, 1)).to.equal(70_000);
  });

  it('reads user and system time past a command name that holds spaces and parentheses', () => {
    const stat = '4711 (a) b (c) S 1 4711 4711 0 -1 4194560 1 0 0 0 250 31 7 9 20 0 11 0 100 0 0';
    expect(parseCpuMicroseconds(stat)).to.equal(2_810_000);
  });

  it('refuses a text that is not of /proc/<pid>/stat', () => {
    expect(() => parseCpuMicroseconds('4711 (node) S 1')).to.throw('not the text of /proc/<pid>/stat');
  });

  it('reads ranges and single numbers of a processor list', () => {
    expect(parseCpuList('0-2,5')).to.deep.equal([0, 1, 2, 5]);
    expect(parseCpuList('3')).to.deep.equal([3]);
  });
});
