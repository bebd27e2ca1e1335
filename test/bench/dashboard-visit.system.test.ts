/** What the dashboard bench measures starts, shows its numbers, and tells of every figure. */
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { requireChromium, startChromium } from '../support/chromium.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { createBenchProcesses } from './bench-processes.ts';
import { startLargeTarget, visitLarge } from './dashboard-large.ts';
import { startDashboardTarget } from './dashboard-target.ts';
import { loggedIn, PAGES, visit } from './dashboard-visit.ts';

describe('the dashboard bench', function () {
  this.timeout(240_000);
  const directory = createTempDirectory();
  const processes = createBenchProcesses();

  before(function () {
    requireChromium(this);
  });
  after(async () => {
    await processes.stopAll();
    directory.remove();
  });

  it('gets a number for every figure of every page, and keeps to the budgets of files and calls', async () => {
    const place = { processes, root: PACKAGE_ROOT, folder: directory.path };
    const origin = await startDashboardTarget({ ...place, events: 2_000 });
    const browser = await startChromium();
    try {
      const state = await loggedIn(browser, origin);
      for (const page of PAGES) {
        const { page: name, ...figures } = await visit(browser, origin, state, page);
        for (const [figure, value] of Object.entries(figures)) {
          expect(value, `${name}: ${figure}`).to.be.a('number').that.is.at.least(0);
        }
        expect(figures.files, `${name}: files`).to.be.within(3, 3);
        expect(figures.calls, `${name}: calls`).to.be.at.most(3);
        expect(figures.scriptBytes, `${name}: JS`).to.be.within(1, 60 * 1_024);
        expect(figures.styleBytes, `${name}: CSS`).to.be.within(1, 10 * 1_024);
      }
    } finally {
      await browser.close();
    }
  });

  it('gets when the first numbers and all panels of a small, a middle and a large website are there', async () => {
    const folder = directory.file('large');
    const target = await startLargeTarget({ processes, root: PACKAGE_ROOT, folder, events: 20_000 });
    const browser = await startChromium();
    try {
      const visits = await visitLarge(browser, target, 1);
      expect(visits.map(({ website }) => website)).to.deep.equal(['large', 'middle', 'small']);
      for (const { website, numbers, all } of visits) {
        expect(numbers, website).to.be.above(0);
        expect(all, website).to.be.at.least(numbers);
      }
    } finally {
      await browser.close();
    }
  });
});
