/** What is shown of builds to whoever asks for the health of a process. */
import { expect } from 'chai';
import {
  NO_BUILDS,
  type RunningBuild,
  summaryOf,
} from '../../../../../../services/shared/storage/columns/build-process/build-progress.ts';

const build = (events: number, of: number | null): RunningBuild => ({
  partition: { organizationId: 'org_secret', websiteId: 'web_secret' },
  since: 0,
  events,
  of,
});

describe('the summary of builds', () => {
  it('has numbers of all partitions together, and names none', () => {
    const summary = summaryOf({ ...NO_BUILDS, running: [build(1, 4), build(9, 6)], waiting: 3 });
    expect(summary).to.deep.equal({ running: 2, waiting: 3, share: 0.7 });
    expect(JSON.stringify(summary)).to.not.include('secret');
  });

  it('has no share where nothing is built for the first time or made anew', () => {
    expect(summaryOf(NO_BUILDS)).to.deep.equal({ running: 0, waiting: 0, share: null });
    expect(summaryOf({ ...NO_BUILDS, running: [build(5, null)] }).share).to.equal(null);
  });

  it('is whole only when everything is read', () => {
    const share = (events: number) => summaryOf({ ...NO_BUILDS, running: [build(events, 1_000_000)] }).share;
    expect([0, 999_999, 1_000_000].map(share)).to.deep.equal([0, 0.999, 1]);
  });
});
