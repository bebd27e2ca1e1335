/** No slip in a valid configuration passes the check and opens a route that was closed: every key, name, value and reference of the shipped file. */
import path from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import type { Configuration } from '../../../gateway/configuration/configuration.ts';
import { admittedBeyond } from '../../../gateway/configuration/warn-of-looser-rules.ts';
import { readForSlips, type SlippedConfiguration } from '../../support/slips.ts';

/** One of so many slips of a section is tried, but all of the short ones; `SLIPS=all` is the long form. */
const ONE_OF = process.env.SLIPS === 'all' ? 1 : 4;
const FEW = 400;

function chosen<T>(slips: readonly T[]): readonly T[] {
  return slips.length <= FEW ? slips : slips.filter((_, index) => index % ONE_OF === 0);
}

describe('a slip in the shipped configuration', () => {
  let shipped: SlippedConfiguration;
  before(async () => {
    shipped = await readForSlips(path.join(PACKAGE_ROOT, 'config'));
  });

  /** Routes that `endpoints` open to callers whom no shipped endpoint of the route admits, with those. */
  function opened({ endpoints, scopes }: Pick<Configuration, 'endpoints' | 'scopes'>): string[] {
    return endpoints.flatMap((endpoint) =>
      endpoint.routes.flatMap((route) => {
        const before = shipped.valid.endpoints.find(({ routes }) => routes.includes(route));
        const admitted =
          before === undefined ? ['somebody'] : admittedBeyond(endpoint, before, scopes.ofRole);
        return admitted.length === 0 ? [] : [`${route} to ${admitted.join(', ')}`];
      }),
    );
  }

  for (const section of ['apiEndpoints', 'serviceEndpoints', 'policies', 'pipelines', 'scopes', 'roles']) {
    it(`of ${section} is refused, or opens no route`, function () {
      this.timeout(300_000);
      let refused = 0;
      let passed = 0;
      for (const slip of chosen(shipped.slips(section))) {
        const checked = shipped.check(slip);
        if (checked === null) refused++;
        else {
          passed++;
          expect(opened(checked), `${slip.steps.join('.')} ${slip.name}`).to.deep.equal([]);
        }
      }
      expect(refused, `${passed} passed`).to.be.greaterThan(passed);
    });
  }
});
